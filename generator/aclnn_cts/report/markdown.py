# SPDX-License-Identifier: Apache-2.0
"""summary.md: a run on one page, for a merge request or a release note."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from aclnn_cts.files import write_text
from aclnn_cts.plan.command_line import company_remark
from aclnn_cts.report.document import CaseEntry, ResultsDocument
from aclnn_cts.report.first_broken import first_broken, tally
from aclnn_cts.report.grouping import NO_CLAUSE
from aclnn_cts.report.labelled_runs import Run, labelled
from aclnn_cts.report.overview import STATES, overview_of
from aclnn_cts.report.wording import code, counted, escape, prose
from aclnn_cts.run.folder_lock import SUMMARY_FILE

FILE_NAME = SUMMARY_FILE

_MOST = 12
"""Lines of a list; the page must stay one."""

_SIGNS = {"good": "✅", "bad": "❌", "warn": "⚠️", "note": "ℹ️"}


def render_summary(document: ResultsDocument) -> str:
    """Return the page."""
    (run,) = labelled([document])
    parts = (
        _verdict(run),
        _operators(document.cases),
        _broken(document),
        _unenforced(document),
        _waived(document),
        _proving_nothing(document.cases),
        _contested(document),
        _environment(document),
        _again(run),
    )
    return "\n".join(line for part in parts for line in part)


def _verdict(run: Run) -> Iterator[str]:
    top, told = overview_of([run]), run.document
    device = told.device
    yield f"## {_SIGNS[top.state]} {escape(top.headline)}"
    yield ""
    facts = [device.product, f"{device.kind} {device.soc}", f"CANN {device.cann or 'unknown'}"]
    facts += [f"tier {told.tier}", f"standard {told.standard}", f"edition {told.edition}"]
    facts += [device.changed] if device.changed else []
    yield f"{escape(', '.join(facts))}; {escape(top.exit_status)}."
    yield ""
    for statement in top.evidence:
        yield f"- {_SIGNS[statement.state]} {escape(statement.text)}"
    yield ""


def _operators(cases: Sequence[CaseEntry]) -> Iterator[str]:
    held = [outcome for outcome in STATES if any(case.outcome == outcome for case in cases)]
    yield "| operator | planned | " + " | ".join(held) + " |"
    yield "|---|---:|" + "---:|" * len(held)
    for operator in dict.fromkeys(case.operator for case in cases):
        yield _row(operator, [case for case in cases if case.operator == operator], held)
    yield _row("all", cases, held)
    yield ""


def _row(name: str, cases: Sequence[CaseEntry], held: Sequence[str]) -> str:
    counts = Counter(case.outcome for case in cases)
    shown = [str(counts[outcome]) for outcome in held]
    return f"| {escape(name)} | {len(cases)} | " + " | ".join(shown) + " |"


def _broken(told: ResultsDocument) -> Iterator[str]:
    """Yield a line per promise that names a failure first, with its place and first case."""
    found = first_broken(told.cases)
    if not found:
        return
    texts = {(clause.operator, clause.clause): clause for clause in told.clauses}
    yield f"### Broken promises: {tally(found)}"
    yield ""
    for each in found[:_MOST]:
        clause = texts.get((each.operator, each.clause))
        said = f": {escape(clause.text)} ({escape(clause.place)})" if clause else ""
        promise = f"**{escape(each.operator)} {escape(each.clause or NO_CLAUSE)}**"
        yield f"- {promise}{said}. {counted(len(each.cases), 'case')}, first"
        yield f"  {code(each.cases[0].id)}: {escape(each.cases[0].message)}"
        if each.only_in:
            yield f"  – only in {escape(each.only_in)}"
        if each.besides:
            yield f"  – and with it {escape(each.besides)}"
    yield from _rest(len(found), "promise")


def _unenforced(told: ResultsDocument) -> Iterator[str]:
    """Yield a row per requirement that the device does not enforce."""
    if not told.unenforced:
        return
    yield "### Requirements that the device does not enforce"
    yield ""
    yield "| operator | clause | what it says | cases |"
    yield "|---|---|---|---:|"
    for clause, cases in told.unenforced[:_MOST]:
        cells = (clause.operator, clause.clause, clause.text, str(len(cases)))
        yield "| " + " | ".join(map(escape, cells)) + " |"
    yield ""
    if len(told.unenforced) > _MOST:
        yield from _rest(len(told.unenforced), "requirement")


def _waived(told: ResultsDocument) -> Iterator[str]:
    """Yield a line per waiver that holds for a case, or of which there is something to say."""
    shown = [each for each in told.waivers if each.cases or each.message]
    if not shown:
        return
    yield "### Waivers"
    yield ""
    for each in shown[:_MOST]:
        held = counted(len(each.cases), "case")
        if each.cases:
            until = f"until {each.expires}: {escape(each.reason)} ({escape(each.link)})"
            yield f"- {code(each.id)} waives {held} {until}"
        else:
            yield f"- {code(each.id)} waives nothing ({each.state}): {prose(each.message)}"
    yield from _rest(len(shown), "waiver")


def _proving_nothing(cases: Sequence[CaseEntry]) -> Iterator[str]:
    found = [case for case in cases if case.verdict.proves_nothing]
    if not found:
        return
    yield "### Cases that prove nothing"
    yield ""
    for case in found[:_MOST]:
        yield f"- {case.verdict.value}: {code(case.id)}: {escape(case.message)}"
    yield from _rest(len(found), "case")


def _contested(told: ResultsDocument) -> Iterator[str]:
    if not told.contradictions:
        return
    yield "### Where the documents contradict themselves"
    yield ""
    yield "| operator | clause | against | elements | the device follows |"
    yield "|---|---|---|---:|---|"
    for each in told.contradictions[:_MOST]:
        cells = (each.operator, *each.clauses, str(each.elements))
        yield "| " + " | ".join(map(escape, (*cells, each.followed))) + " |"
    yield ""
    if len(told.contradictions) > _MOST:
        yield from _rest(len(told.contradictions), "contradiction")


def _rest(found: int, thing: str) -> Iterator[str]:
    if found > _MOST:
        yield f"- … and {counted(found - _MOST, f'more {thing}')}; `report.html` has all"
    yield ""


def _environment(told: ResultsDocument) -> Iterator[str]:
    about = told.environment
    facts = {
        "toolkit": f"{about.toolkit} {about.toolkit_version}".strip(),
        "driver": about.driver,
        "firmware": about.firmware,
        "devices": ", ".join(map(str, about.devices)),
        "host": f"{about.host} {about.architecture}".strip(),
        "compiler": about.compiler,
        "started": told.started,
        "suite": f"{told.suite.version}, specs {told.suite.specs_sha256[:12]}",
    }
    yield "### Environment"
    yield ""
    yield "; ".join(f"{name} {escape(value)}" for name, value in facts.items() if value) + "."
    yield ""


def _again(run: Run) -> Iterator[str]:
    """Yield how to come to the same result; a kit's toolkit is on a host of its own."""
    failing = [case for case in run.document.cases if case.fails]
    yield "### Again"
    yield ""
    yield "```sh"
    yield run.command_of_all
    if failing:
        yield from _again_first(run, failing[0])
    yield "```"
    if run.document.device.kind == "hardware" and not run.document.cann:
        yield ""
        yield "This takes the toolkit of the host that it is given on; `--cann PATH` names another."
    yield ""


def _again_first(run: Run, case: CaseEntry) -> Iterator[str]:
    remark = company_remark(case.after)
    if remark:
        yield f"# {remark}"
    yield run.command(case)


def write_summary(document: ResultsDocument, path: Path) -> Path:
    """Write the page of one run and return its path.

    Raises:
        WrongInputError: The folder cannot be written to.
        NotTrustworthyError: The disk is full.
    """
    write_text(path, render_summary(document))
    return path

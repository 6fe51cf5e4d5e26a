# SPDX-License-Identifier: Apache-2.0
"""Assembly of a run's results from its verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from aclnn_cts.emit.data_files import recipe_digest
from aclnn_cts.golden.inputs import settle
from aclnn_cts.judge.features import facts_of, status_fact
from aclnn_cts.judge.judge_run import JudgedOperator, Judging
from aclnn_cts.judge.standards import merge_contests
from aclnn_cts.judge.verdicts import CaseVerdict, Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.planner import operators_on
from aclnn_cts.results.cases import CaseEntry, CaseFile, ResolvingEntry
from aclnn_cts.results.clause_verdicts import document_gaps, judge_clauses, silences
from aclnn_cts.results.commands import RunSetup, setup_of
from aclnn_cts.results.document import (
    RESULTS_FORMAT,
    ContradictionEntry,
    ResultsDocument,
    ScopeEntry,
    SuiteEntry,
    totals,
)
from aclnn_cts.results.failure_message import failure_message
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.run.planned_cases import PlannedCase
from aclnn_cts.spec.loading import SpecSet, specs_digest
from aclnn_cts.suite import code_digest

_CODE = code_digest()
"""At import, because the files may change while the process runs the old code."""


def document_of(
    specs: SpecSet, run: RunFolder, operators: Iterable[JudgedOperator], judging: Judging
) -> ResultsDocument:
    """Return the results without waivers; cases that did not pass have failure messages.

    Args:
        specs: All specs, in the run's edition.
        operators: Its operators, consumed one at a time to save memory.
    """
    document = _description(specs, run, judging)
    parts: dict[str, tuple[Any, ...]] = {}
    outcomes, reused = Counter[str](), Counter[bool]()

    def entries() -> Iterator[CaseEntry]:
        for judged in operators:
            planned = run.cases.of(judged.operator)
            reused.update(verdict.reused for verdict in judged.verdicts)
            for name, part in _parts(specs, judged).items():
                parts[name] = (*parts.get(name, ()), *part)
            for entry in _entries(specs, planned, judged, setup_of(document)):
                outcomes[entry.outcome] += 1
                yield entry

    cases = CaseFile.collect(entries())
    counts = totals(outcomes.elements())
    return document.model_copy(
        update={**parts, "cases": cases, "totals": counts, "reused": reused[True]}
    )


def _description(specs: SpecSet, run: RunFolder, judging: Judging) -> ResultsDocument:
    """Return the results apart from cases and all that follows from them."""
    operators = run.cases.operators
    mentioned = operators_on(judging.suite, specs, run.device.product)
    missing = tuple(name for name in mentioned if name not in operators)
    files = {name: specs.file_of(name) for name in operators}
    return ResultsDocument(
        format=RESULTS_FORMAT,
        suite=SuiteEntry(
            version=run.suite_version,
            specs_sha256=run.specs_sha256,
            folders=run.folders,
            files={name: file for name, file in files.items() if file != f"specs/{name}.yaml"},
            judged_specs_sha256=specs_digest(judging.suite),
            judged_code_sha256=_CODE,
        ),
        device=run.device,
        environment=run.environment,
        started=run.started,
        tier=run.tier,
        standard=judging.standard,
        edition=run.edition,
        totals={},
        problems=(),
        cases=(),
        clauses=(),
        rounding=(),
        contradictions=(),
        not_promised=silences(specs, operators),
        document_gaps=(),
        waivers=(),
        nonce=run.nonce,
        timings=run.config.timings,
        all_operators=not missing,
        cann=run.config.cann,
        calls=run.config.calls,
        unlisted={name: dict(reasons) for name, reasons in run.config.unlisted.items()},
        sanitize=run.config.sanitize,
        enforce=judging.enforce,
        contract_only=tuple(name for name in operators if specs.operator(name).is_contract),
        scope=ScopeEntry(
            families={name: specs.operator(name).document.family for name in operators},
            missing=missing,
            products=tuple(specs.products),
            quarantined=_quarantined(specs, run),
            selected=run.config.selected,
            shard=run.config.shard,
        ),
    )


def _quarantined(specs: SpecSet, run: RunFolder) -> dict[str, int]:
    """Return the number of cases with quarantined golden data by operator."""
    if not specs.quarantine.quarantined:
        return {}
    entry_of = specs.quarantine.entry_of
    valid = (case for case in run.cases if case.expects_success)
    return dict(Counter(case.operator for case in valid if entry_of(case.id) is not None))


def _parts(specs: SpecSet, judged: JudgedOperator) -> dict[str, tuple[Any, ...]]:
    """Return an operator's parts of the results, apart from its cases."""
    return {
        "problems": judged.problems,
        "clauses": judge_clauses(specs, judged.operator, judged.verdicts),
        "rounding": judged.rounding,
        "contradictions": tuple(
            ContradictionEntry(
                operator=judged.operator,
                clauses=(contest.first, contest.second),
                elements=contest.elements,
                follow=(contest.follow_first, contest.follow_second),
                reading=contest.reading,
                others=dict(contest.others),
            )
            for contest in merge_contests(
                c for verdict in judged.verdicts for c in verdict.contests
            )
        ),
        "document_gaps": document_gaps(specs.operator(judged.operator), judged.verdicts),
    }


def _entries(
    specs: SpecSet, planned: Mapping[str, PlannedCase], judged: JudgedOperator, setup: RunSetup
) -> Iterator[CaseEntry]:
    """Yield the entry of each case of an operator."""
    spec, texts = specs.operator(judged.operator), specs.clause_texts(judged.operator)
    # an operator's failing cases are grouped by the facts that its other cases do not share
    has_failures = any(verdict.verdict.breaks_promise for verdict in judged.verdicts)
    passing = [Verdict.PASS, Verdict.CONTESTED_ONLY]
    passing += [] if setup.enforce else [Verdict.UNENFORCED]
    for verdict in judged.verdicts:
        case, story, facts = planned[verdict.case].case, "", tuple[str, ...]()
        has_story = verdict.verdict not in passing and not verdict.refused_twin
        if has_story or has_failures:
            case = _case_as_run(specs, planned[verdict.case])
        if has_story:
            story = failure_message(case, verdict, texts, setup)
        if has_failures:
            facts = (*facts_of(spec, case), *status_fact(case, verdict.status))
        yield _entry(case, verdict, story, facts)


def _case_as_run(specs: SpecSet, planned: PlannedCase) -> Case:
    """Return a case with the data that it had, which may be of another kind than planned."""
    case, data = planned.case, planned.data
    if data is None or data.path is None or not case.expects_success:
        return case
    as_planned = data.is_made_by(recipe_digest(specs.operator(case.operator), case))
    return case if as_planned else settle(specs, case).case


def _entry(case: Case, verdict: CaseVerdict, story: str, facts: tuple[str, ...]) -> CaseEntry:
    power = verdict.resolution
    shared = {name: getattr(verdict, name) for name in CaseEntry.model_fields.keys() & _OF_VERDICT}
    return CaseEntry(
        **{
            **shared,
            "id": case.id,
            "scene": case.scene,
            "dtype": case.tensors[0].dtype,
            "count": case.count,
            "basis": case.basis,
            "kinds": tuple(sorted(verdict.kinds)),
            "resolving": None if power is None else ResolvingEntry(**power.as_json()),
            "story": story,
            "waiver": None,
            "facts": facts,
        }
    )


_OF_VERDICT = {field.name for field in fields(CaseVerdict)}

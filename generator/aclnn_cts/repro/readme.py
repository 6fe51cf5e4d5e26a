# SPDX-License-Identifier: Apache-2.0
"""What the README of a reproducer says about a case."""

from __future__ import annotations

from collections.abc import Iterator

from aclnn_cts import __version__
from aclnn_cts.emit.reproducer import BrokenPromise, Told
from aclnn_cts.judge.clauses import clause_texts
from aclnn_cts.judge.samples import Sample, number
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.plan.command_line import Ran, run_command
from aclnn_cts.report.failure_message import (
    describe_call,
    error_of,
    inputs_at,
    place_of,
    text_in,
    told_clauses,
    told_common,
)
from aclnn_cts.repro.observed import ObservedCase
from aclnn_cts.spec.clause_models import DETERMINISM
from aclnn_cts.spec.loading import SpecSet


def tell(specs: SpecSet, known: ObservedCase, shrunk: str) -> Told:
    """Return what a README says.

    Args:
        specs: All specs.
        known: What is known about the case.
        shrunk: How the case was made smaller; empty if it is as it was planned.
    """
    verdict, case = known.verdict, known.case
    return Told(
        title=title_of(specs, known),
        outcome=_outcome(known),
        broken=tuple(_broken(specs, known)),
        only_in=tuple(map(told_common, known.only_in)),
        facts=tuple(_facts(specs, known)),
        message=known.message,
        samples=tuple(map(_row, verdict.samples)),
        call=tuple(describe_call(case)),
        checks=tuple(_checks(case)),
        left_out=tuple(_left_out(known)),
        origin=_origin(known, shrunk),
    )


def title_of(specs: SpecSet, known: ObservedCase) -> str:
    """Return one line that says what the program is about."""
    operator = known.case.operator
    texts = clause_texts(specs, operator)
    if not known.blamed:
        return f"{operator}: a call of the scene {known.case.scene}"
    first = known.blamed[0]
    return f"{operator} does not keep: {text_in(known.case, first, texts[first][0])}"


def _outcome(known: ObservedCase) -> str:
    where = f"{known.device.soc or known.device.product} ({_kind(known)})"
    if known.after:
        return (
            f"This call broke a promise of its document on {where}, but only after other calls in "
            "the same process; alone it kept its promises. The program makes the call alone, and "
            "may pass."
        )
    if known.verdict.verdict.breaks_promise:
        return f"This call breaks a promise of its document on {where}:"
    if known.together:
        return (
            f"This call alone keeps its promises on {where}, but a whole run of calls does not; "
            "the program makes this call alone."
        )
    return (
        f"This call broke no promise on {where}: its verdict was {known.verdict.verdict.value}. "
        "The program is of use on another device or release."
    )


def _kind(known: ObservedCase) -> str:
    if known.device.kind != "simulator":
        return "hardware"
    return "a simulated device" + (
        f" with the {known.device.changed}" if known.device.changed else ""
    )


def _broken(specs: SpecSet, known: ObservedCase) -> Iterator[BrokenPromise]:
    texts = clause_texts(specs, known.case.operator)
    told, _ = told_clauses(known.blamed, known.only_in)
    for name in told:
        text, place = texts[name]
        yield BrokenPromise(name, text_in(known.case, name, text), place)


def _facts(specs: SpecSet, known: ObservedCase) -> Iterator[tuple[str, str]]:
    document = specs.operator(known.case.operator).document
    yield "operator", known.case.operator
    yield "document", f"{document.title}, {document.edition}"
    yield "product", specs.product(known.case.product).id
    yield "SoC", known.device.soc or "unknown"
    yield "CANN", known.device.cann or "unknown"
    yield "verdict", f"{known.verdict.verdict.value} by the standard {known.standard}"
    yield "found with", f"aclnn-cts {__version__}, edition {known.edition} of the documents"


def _row(sample: Sample) -> tuple[str, ...]:
    got, error = number(sample.got), error_of(sample)
    return place_of(sample), inputs_at(sample), sample.expected, got, error


def _checks(case: Case) -> Iterator[str]:
    if not case.expects_success:
        if case.basis != "requirement":
            phases = "One of the phases" if case.is_launched else "Phase one"
            yield f"{phases} returns {case.wanted}, in each of two equal calls."
        yield "Nothing is written: neither to a tensor's elements nor around it."
        return
    yield "Both phases and the stream return 0."
    yield "Each element of the results is one of what the document allows, within its tolerance."
    yield (
        "Inputs keep their elements, and nothing is written around tensors and workspace; the "
        "workspace has exactly the size that phase one asks for."
    )
    same = "bit for bit the same results" if DETERMINISM in case.clauses else "right results"
    yield f"A second call, in memory that held other bytes before, has {same}."
    for circumstance in case.again:
        yield f"A further call has them, too: {_CIRCUMSTANCES[circumstance]}."


_CIRCUMSTANCES = {
    "second-stream": "on a second stream",
    "kept-workspace": "with a workspace that two earlier calls have used",
    "after-others": "after a call of another operator",
    "in-flight": "launched between two other calls that are in flight",
    "planned-between": "with another call planned between its phases",
    "repeatable-executor": "from a repeatable executor, launched a second time with other data",
}


def _left_out(known: ObservedCase) -> Iterator[str]:
    if known.verdict.verdict is Verdict.CRASH:
        yield "Where the call ends its process by a signal, it ends the program without a line."
    if known.verdict.verdict is Verdict.TIMEOUT:
        yield "Where phase one does not return, the program does not end; a stream gets 60 seconds."
    rest = [each for each in known.planned.again if each not in known.case.again]
    if rest:
        names = "; ".join(_CIRCUMSTANCES[each] for each in rest)
        yield f"The suite makes this call under further circumstances, too: {names}."
    if known.after:
        yield f"The calls before it that the failure takes: {', '.join(known.after)}."
    if known.together:
        yield "What a look at a whole run of calls shows; it is under Expected and got."
    if known.standard != "strict":
        yield (
            f"The verdict is by the standard {known.standard}; the program holds each element to "
            "its own tolerance (the standard strict)."
        )


def _origin(known: ObservedCase, shrunk: str) -> tuple[str, str]:
    # Who reads it has a toolkit in a folder of his own.
    ran = Ran(
        known.tier,
        known.edition,
        known.standard,
        simulator=known.device.kind == "simulator",
        fault=known.device.fault,
        variant=known.device.variant,
    )
    command = " \\\n  ".join(run_command(known.planned.id, known.planned.product, ran))
    how = shrunk or "as it was planned"
    return (
        f"It is the case `{known.planned.id}` of aclnn-cts, {how}. This runs the planned case:",
        f"```sh\n{command}\n```",
    )

# SPDX-License-Identifier: Apache-2.0
"""The message about a case that did not pass: about 20 lines of up to 110 characters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from aclnn_cts.errors import printable, wrapped
from aclnn_cts.judge.comparison import Sample, number
from aclnn_cts.judge.verdicts import CaseVerdict, Common, Verdict
from aclnn_cts.plan.cases import AttributeValue, Case, TensorCase
from aclnn_cts.results.commands import RunSetup, card_of, company_remark, rerun_command
from aclnn_cts.spec.parameter_clauses import clause_id

MOST_LINES = 44
"""Maximum number of lines; nine tensors of eight axes with strides take half of them."""

WIDTH = 110

_MOST_TENSORS = 9
_MOST_SAMPLES = 6
_MOST_CLAUSES = 3

ClauseTexts = Mapping[str, tuple[str, str]]


def failure_message(case: Case, verdict: CaseVerdict, texts: ClauseTexts, setup: RunSetup) -> str:
    """Return the message: verdict with reason, call, and command to rerun.

    Args:
        texts: Text and place of the operator's clauses, by id.
        ran: How it was run, for the command.
    """
    head = f"{verdict.verdict.value.upper()} {case.id}"  # not wrapped, so that it can be copied
    place = [f"ran on: {card_of(verdict.host, verdict.card)}"] if verdict.host else []
    tail = [*place, *_command(case, verdict.after, setup.on_card(verdict.card))]
    body = [
        *_clauses(case, verdict, texts),
        *_reason(verdict),
        *(line for sample in _first_of_each(verdict.samples) for line in _sample(sample)),
        *_figures(verdict),
        *describe_call(case),
    ]
    room = MOST_LINES - len(tail) - 1
    if len(body) > room:
        body = [*body[: room - 1], "…"]
    names_twin = f" {case.twin}"
    lines = (line if line.endswith(names_twin) else printable(line, WIDTH) for line in body)
    return "\n".join([head, *lines, *tail])


def _command(case: Case, after: Sequence[str], setup: RunSetup) -> list[str]:
    """Return the command that runs exactly this case, quoted for a shell.

    A case that passes alone runs after the cases that its failure needs, in the same process.
    """
    start, *options = rerun_command(case.id, case.operator, case.product, setup, after)
    too_many = company_remark(after)
    remark = [f"        {too_many}"] if too_many else []
    line = f"again:  {' '.join((start, *options))}"
    if (too_many or not after) and len(line) <= WIDTH:
        return [line, *remark]
    *further, last = options
    return [
        f"again:  {start} \\",
        *(f"    {option} \\" for option in further),
        f"    {last}",
        *remark,
    ]


def _label(label: str, text: str, most: int = 3) -> list[str]:
    """Return labelled text in at most ``most`` lines, without breaking words."""
    lines = wrapped(" ".join(text.split()), WIDTH, label, " " * len(label))
    return lines if len(lines) <= most else [*lines[: most - 1], lines[most - 1] + " …"]


def _clauses(case: Case, verdict: CaseVerdict, texts: ClauseTexts) -> Iterator[str]:
    """Yield the clauses that are broken or not enforced."""
    unenforced = verdict.verdict is Verdict.UNENFORCED
    clauses = verdict.unenforced if unenforced else verdict.broken
    sentences, rest = clauses_to_name(clauses, verdict.only_in)
    for name in sentences:
        text, place = texts.get(name, ("", ""))
        statement = f"{name}: {text_in(case, name, text)} [{place}]" if text else name
        yield from _label("clause: " if unenforced else "broken: ", statement, most=2)
    if rest:
        yield from _label("        ", f"and {', '.join(rest)}", most=2)
    if verdict.only_in:
        told_in = "; ".join(map(common_texts, verdict.only_in))
        yield from _label("only in: ", told_in, most=2)


def _reason(verdict: CaseVerdict) -> Iterator[str]:
    label = "found:  " if verdict.verdict is Verdict.FAIL else "why:    "
    if verdict.message:
        yield from _label(label, verdict.message, most=4)
    for remark in verdict.remarks[:1]:
        yield from _label("note:   ", remark, most=2)


def _first_of_each(samples: Sequence[Sample]) -> Iterator[Sample]:
    """Yield the first wrong elements, a share of each output."""
    by_output: dict[str, list[Sample]] = {}
    for sample in samples:
        by_output.setdefault(sample.output, []).append(sample)
    for output_samples in by_output.values():
        yield from output_samples[: max(_MOST_SAMPLES // len(by_output), 1)]


def _sample(sample: Sample) -> list[str]:
    """Return a wrong element's values, without the tolerance if it does not fit."""
    inputs, error = inputs_at(sample), error_of(sample)
    start = f"{place_of(sample)}: " + (f"{inputs}: " if inputs else "")
    remark = f"which is {error}" if error == "not 0" else error
    line = f"{start}expected {sample.expected}, got {number(sample.got)}, {remark}"
    tolerance = f" (tolerance {sample.tolerance:.3g})" if error.endswith(" ulp") else ""
    wrapped_line = wrapped(line + tolerance, WIDTH, "  ", "      ")
    short = wrapped(line, WIDTH, "  ", "      ")
    return wrapped_line if len(wrapped_line) == len(short) else short


def _figures(verdict: CaseVerdict) -> Iterator[str]:
    if not verdict.standards or "value" not in verdict.kinds:
        return
    parts = [
        f"{name} {'kept' if figures.passed else f'broken ({figures.matched_ratio:.1%} right)'}"
        for name, figures in verdict.standards.items()
    ]
    worst = max(figures.worst_ulp for figures in verdict.standards.values())
    share = max(figures.worst_share for figures in verdict.standards.values())
    yield f"judged: {', '.join(parts)}"
    if share < float("inf"):
        yield f"worst:  {worst:.4g} ulp, {share:.4g} times the strict tolerance"


def describe_call(case: Case) -> Iterator[str]:
    """Yield the description of a call: operator, product, tensors with layouts, attributes.

    A scalar's data type follows its value.
    """
    yield f"call:   {case.operator} on {case.product}, scene {case.scene}"
    if case.twin:
        yield f"  its valid twin: {case.twin}"
    for tensor in case.tensors[:_MOST_TENSORS]:
        yield from wrapped(_tensor(case, tensor), WIDTH, "  ", "      ")
    values = ", ".join(
        f"{name}={_value(value)}" + (f" ({case.scalars[name]})" if name in case.scalars else "")
        for name, value in case.attributes.items()
    )
    if values:
        yield from wrapped(values, WIDTH, "  ", "      ")


def _tensor(case: Case, tensor: TensorCase) -> str:
    text = f"{tensor.name}: {tensor.role} {tensor.dtype} {list(tensor.shape)} {tensor.format}"
    if tensor.source in ("null", "producer"):
        text += " null pointer" if tensor.source == "null" else " from the producer"
    text += f", {tensor.layout}"
    if tensor.layout != "contiguous":
        text += f": strides {list(tensor.strides)} offset {tensor.offset} in {list(tensor.storage)}"
    if tensor.shares is not None:
        same = case.elements_of(tensor) is not tensor
        text += f", {'the same elements as' if same else 'in the storage of'} {tensor.shares}"
    return text + (f", {tensor.fill}" if tensor.fill else "")


def _value(value: AttributeValue) -> str:
    if value is None:
        return "null"
    return str(list(value)) if isinstance(value, tuple) else repr(value)


def clauses_to_name(
    broken: Sequence[str], only_in: Sequence[Common] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the clauses to quote, three at most, and those to name only.

    Explanations by the whole run come first, the clauses that the case's own elements break last;
    one of these is always quoted.

    Args:
        only_in: Common features of failing cases; their clauses are left out, because they only say
            where.
    """
    clauses = without_where(broken, only_in)
    if len(clauses) <= _MOST_CLAUSES:
        return clauses, ()
    return (*clauses[: _MOST_CLAUSES - 1], clauses[-1]), clauses[_MOST_CLAUSES - 1 : -1]


def without_where(broken: Sequence[str], only_in: Sequence[Common]) -> tuple[str, ...]:
    """Return the clauses without those of ``only_in``, which only say where values are wrong."""
    where = {clause for common in only_in for clause in common.clauses}
    return tuple(clause for clause in broken if clause not in where)


def common_texts(common: Common) -> str:
    """Return the common features of failing cases: ``bfloat16 (x-dtype, dy-dtype)``."""
    return f"{common.setting} ({', '.join(common.clauses)})"


def text_in(case: Case, clause: str, text: str) -> str:
    """Return a clause's text, with the case's choice if there are several.

    For example, one of three data types, or a layout of non-contiguous tensors: ``x has the data
    type float32, float16 or bfloat16 (here bfloat16)``.
    """
    choices = {clause_id(name, "dtype"): dtype for name, dtype in case.scalars.items()}
    # of a list that is not contiguous
    tensors = sorted(case.tensors, key=lambda tensor: tensor.layout != "contiguous")
    choices |= {clause_id(tensor.parameter, "dtype"): tensor.dtype for tensor in tensors}
    choices |= {clause_id(tensor.parameter, "non-contiguous"): tensor.layout for tensor in tensors}
    return f"{text} (here {choices[clause]})" if text and clause in choices else text


def place_of(sample: Sample) -> str:
    """Return the place of a failing element: ``out[0, 2]``."""
    return f"{sample.output}[{', '.join(map(str, sample.index))}]"


def inputs_at(sample: Sample) -> str:
    """Return the inputs at a failing element's place: ``x 1.5, dy 2``."""
    return ", ".join(f"{name} {number(value)}" for name, value in sample.inputs)


def error_of(sample: Sample) -> str:
    """Return a failing element's error in words."""
    if not math.isfinite(sample.ulps):
        return "wrong class"
    return "not 0" if sample.expected == "0" else f"{sample.ulps:+.4g} ulp"


def absolute_error_of(sample: Sample) -> str:
    """Return a failing element's absolute error, for comparison with the allowed one."""
    expected = _only_number(sample)
    return "–" if expected is None else f"{abs(sample.got - expected):.3g}"


def allowed_error_of(sample: Sample) -> str:
    """Return the largest absolute error that the strict standard allows a failing element."""
    return "–" if _only_number(sample) is None else f"{sample.tolerance:.3g}"


def _only_number(sample: Sample) -> float | None:
    """Return the expected number; None if it is not a number or the error has no finite size."""
    if not math.isfinite(sample.ulps):
        return None
    try:
        return float(sample.expected)
    except ValueError:
        return None

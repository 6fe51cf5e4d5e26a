# SPDX-License-Identifier: Apache-2.0
"""The folder of a reproducer: the program of one case, its data, the harness and a README."""

from __future__ import annotations

import re
import shutil
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts import __version__
from aclnn_cts.emit.case_file import case_file_text, operators_beside
from aclnn_cts.emit.data_files import DataReference, npy_bytes, payload_fields, record_type
from aclnn_cts.emit.programs import OperatorContext, text_templates
from aclnn_cts.errors import WrongInputError
from aclnn_cts.files import explain
from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.golden.expected import Expected, Outcome
from aclnn_cts.golden.expressions import intermediate_results
from aclnn_cts.golden.inputs import settle
from aclnn_cts.judge.call_checks import ORDINARY_RUNS, Launch, Runs
from aclnn_cts.judge.comparison import Sample, number
from aclnn_cts.judge.verdicts import Verdict
from aclnn_cts.plan.cases import Case
from aclnn_cts.repro.observed_case import ObservedCase
from aclnn_cts.results.commands import RunSetup, run_command
from aclnn_cts.results.failure_message import (
    allowed_error_of,
    clauses_to_name,
    common_texts,
    describe_call,
    error_of,
    inputs_at,
    place_of,
    text_in,
)
from aclnn_cts.spec.clause_models import DETERMINISM, PHASE_ONE_DATA, UNINITIALISED_MEMORY
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import FormulaText, OperatorSpec
from aclnn_cts.suite import Suite

_NONCE = "0" * 32
"""A reproducer needs no real nonce, because it has no events."""

_NOT_PACKED = ("main.cpp", "program.cpp", "case_runner.cpp", "run_events.cpp")
"""Sources of the harness that reproducer.cpp and report.cpp replace."""

_CLASSES = {
    Outcome.VALUE: "number",
    Outcome.FINITE: "number",  # any finite number is within this tolerance
    Outcome.ZERO: "zero",
    Outcome.POS_INF: "+inf",
    Outcome.NEG_INF: "-inf",
    Outcome.NAN: "nan",
}

_WIDTH = 110

_MARKUP = re.compile(r"[\\`*<>\[\]|~&#!]|(?<!\w)_|_(?!\w)")
"""Characters with a meaning in Markdown, except underscores within words."""


def reproducer_files(observed: ObservedCase, shrunk: str = "") -> dict[str, bytes]:
    """Return the files of a case's reproducer by their path in its folder.

    Args:
        shrunk: How the case was made smaller, for the README; empty if it was not.
    """
    specs, suite = observed.bench.specs, observed.bench.suite
    draw = settle(specs, observed.case)
    observed, case, inputs = replace(observed, case=draw.case), draw.case, draw.inputs
    title = _comment(_title(specs, observed))
    operators = [spec.operator for spec in _operators(specs, case)]
    cmake = text_templates().get_template("reproducer_cmake.txt.j2")
    files = {
        "reproducer.cpp": _program(specs, observed, title),
        "CMakeLists.txt": cmake.render(title=title, operators=operators),
    }
    dtype = record_type(case)
    path = "data.npy" if dtype.itemsize else None
    reference = DataReference(path, dtype.itemsize, payload_fields(dtype))
    files["case.txt"] = case_file_text(specs, case.operator, [(case, reference)], _NONCE)
    if case.expects_success:
        files["expected.txt"] = "".join(
            line
            for name, each in expect_case(specs, case, inputs, observed.verdict.reading).items()
            for line in _expected_lines(name, each.whole())
        )
    files["README.md"] = _readme(specs, observed, shrunk, has_data=path is not None)
    content = {name: text.encode() for name, text in files.items()}
    if path is not None:
        content[path] = npy_bytes(inputs, dtype)
    return {**content, **_harness_files(suite)}


def _harness_files(suite: Suite) -> dict[str, bytes]:
    folders = [suite.harness / name for name in ("include", "src", "reproducer")]
    return {
        f"harness/{path.relative_to(folder)}": path.read_bytes()
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".h", ".cpp") and path.name not in _NOT_PACKED
    }


def _producers(spec: OperatorSpec, case: Case) -> list[str]:
    """Return the operators that make inputs of a case."""
    return [
        parameter.producer.operator
        for parameter in spec.inputs
        if parameter.producer and case.tensor(parameter.name).source == "producer"
    ]


def _operators(specs: SpecSet, case: Case) -> list[OperatorSpec]:
    """Return the operators that a case calls, its own one first."""
    spec = specs.operator(case.operator)
    producers = map(specs.operator, _producers(spec, case))
    operators = (spec, *producers, *operators_beside(specs, case))
    return list({each.operator: each for each in operators}.values())


def _program(specs: SpecSet, observed: ObservedCase, title: str) -> str:
    case = observed.case
    spec, *_ = called = _operators(specs, case)
    # these break a promise even without determinism
    depends = {UNINITIALISED_MEMORY, PHASE_ONE_DATA} & set(observed.verdict.broken)
    variant = Runs(specs, case).phrase(Launch(ORDINARY_RUNS)).strip()
    template = text_templates().get_template("reproducer.cpp.j2")
    return template.render(
        title=title,
        call=list(map(_comment, describe_call(case))),
        headers=sorted({each.header for each in called}),
        operators=list(map(OperatorContext.of, called)),
        operator=OperatorContext.of(spec),
        producer=", ".join(_producers(spec, case)),
        promise=_promise(case),
        refused=not case.expects_success,
        launched=case.is_launched,
        statuses="{" + ", ".join(map(str, case.statuses)) + "}",
        same_bits=str(bool(depends) or DETERMINISM in case.clauses).lower(),
        determinism_level=case.determinism_level,
        variant=variant,
        variant_stream="second-stream" in case.again[:1],
        sharing=[tensor for tensor in case.tensors if tensor.shares is not None],
    )


def _comment(text: str) -> str:
    """Return a text for a one-line comment, which must not end with a backslash."""
    return text.replace("\\", "/").replace("\n", " ").rstrip()


def _promise(case: Case) -> str:
    if case.expects_success:
        return "kSuccess"
    if case.basis == "requirement":
        return "kNothing"
    return "kRefusalByAny" if case.is_launched else "kRefusal"


def _expected_lines(name: str, expected: Expected) -> Iterator[str]:
    """Yield the lines of expected.txt for one output: its size, then value, tolerance, classes.

    Elements with alternative values are left out, because the program compares with one.
    """
    allowed = expected.allowed.reshape(-1).copy()
    allowed[expected.flat().has_alternatives()] = np.uint8(Outcome.ANY)
    values = _finite(expected.value)
    number_lost = ~np.isfinite(expected.value.reshape(-1)) & (allowed != np.uint8(Outcome.ANY))
    allowed[number_lost] &= np.uint8(0xFF ^ Outcome.VALUE)
    words = {bits: _classes(bits) for bits in np.unique(allowed).tolist()}
    yield f"{name} {values.size}\n"
    tolerances = _finite(expected.tolerance)
    for value, tolerance, bits in zip(
        values.tolist(), tolerances.tolist(), allowed.tolist(), strict=True
    ):
        # str keeps more digits than a format, which converts to float64
        yield " ".join((str(value), str(tolerance), words[bits])) + "\n"


def _finite(array: npt.NDArray[np.float64]) -> npt.NDArray[Any]:
    largest = np.finfo(np.float64).max
    return np.nan_to_num(array.reshape(-1), nan=0.0, posinf=largest, neginf=-largest)


def _classes(bits: int) -> str:
    if bits == Outcome.ANY:
        return "any"
    return "|".join(word for bit, word in _CLASSES.items() if bits & bit) or "none"


def _title(specs: SpecSet, observed: ObservedCase) -> str:
    operator = observed.case.operator
    if not observed.blamed:
        return f"{operator}: a call of the scene {observed.case.scene}"
    first = observed.blamed[0]
    text, _ = specs.clause_texts(operator)[first]
    return f"{operator} breaks a promise: {text_in(observed.case, first, text)}"


def _readme(specs: SpecSet, observed: ObservedCase, shrunk: str, *, has_data: bool) -> str:
    """Return the README in Markdown, with all texts of the device escaped."""
    case = observed.case
    texts = specs.clause_texts(case.operator)
    clauses, _ = clauses_to_name(observed.blamed, observed.only_in)
    origin, command = _origin(specs, observed, shrunk)
    templates = text_templates()
    templates.filters["wrapped"] = _wrap
    text = templates.get_template("reproducer_readme.md.j2").render(
        title=_title(specs, observed),
        outcome=_escape(_outcome(observed)),
        broken=[
            {"id": name, "text": text_in(case, name, texts[name][0]), "place": texts[name][1]}
            for name in clauses
        ],
        only_in=list(map(common_texts, observed.only_in)),
        facts=[(name, _escape(value)) for name, value in _facts(specs, observed)],
        message=_verbatim(observed.message) if observed.message else "",
        formula=[
            f"{name} = {each.text}" for name, each in specs.operator(case.operator).formula.items()
        ],
        samples=[
            [_cell(text) for text in _row(specs, case, sample)]
            for sample in observed.verdict.samples
        ],
        call=list(describe_call(case)),
        made=_file_list(case, has_data=has_data),
        checks=list(_checks(specs, case)),
        left_out=list(map(_escape, _omissions(specs, observed))),
        origin=origin,
        command=command,
    )
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def _file_list(case: Case, *, has_data: bool) -> str:
    """Return the description of the folder's files."""
    text = "`reproducer.cpp` makes it step by step; `case.txt` describes it exactly"
    if has_data:
        text += ", `data.npy` holds the elements of its inputs"
    if case.expects_success:
        text += ", `expected.txt` value, tolerance and classes of each element of its results"
    return text + (
        ". `harness` is the same in every such program: device memory between guards, and further "
        "runs of the call."
    )


def _wrap(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _escape(text: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", " ".join(text.split()))


def _verbatim(text: str) -> str:
    """Return a text as a code block, with fences that are longer than any in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}text\n{_wrap(text)}\n{fence}"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _outcome(observed: ObservedCase) -> str:
    device = observed.device
    kind = "hardware" if device.kind != "simulator" else "a simulated device"
    if device.kind == "simulator" and device.changed:
        kind += f" with the {device.changed}"
    where = f"{device.soc or device.product} ({kind})"
    if observed.after:
        return (
            f"This call broke a promise of its document on {where}, but only after other calls in "
            "the same process; alone it kept its promises. The program makes the call alone, and "
            "may pass."
        )
    if observed.verdict.verdict.breaks_promise:
        return f"This call breaks a promise of its document on {where}:"
    if observed.together:
        return (
            f"This call alone keeps its promises on {where}, but a whole run of calls does not; "
            "the program makes this call alone."
        )
    return (
        f"This call broke no promise on {where}: its verdict was {observed.verdict.verdict.value}. "
        "The program may be useful on another device or release."
    )


def _facts(specs: SpecSet, observed: ObservedCase) -> Iterator[tuple[str, str]]:
    document = specs.operator(observed.case.operator).document
    yield "operator", observed.case.operator
    yield "document", f"{document.title}, {document.edition}"
    yield "product", observed.case.product
    yield "SoC", observed.device.soc or "unknown"
    yield "CANN", observed.device.cann or "unknown"
    yield "verdict", f"{observed.verdict.verdict.value} by the standard {observed.bench.standard}"
    yield (
        "found with",
        f"aclnn-cts {__version__}, edition {observed.bench.specs.edition} of the documents",
    )


def _row(specs: SpecSet, case: Case, sample: Sample) -> tuple[str, ...]:
    """Return the cells of a failing element; intermediate results follow the inputs."""
    spec, input_text = specs.operator(case.operator), inputs_at(sample)
    if isinstance(spec.formula_source, FormulaText):
        names = {tensor.name: tensor.as_input for tensor in spec.inputs}
        inputs = {names[name]: value for name, value in sample.inputs if name in names}
        intermediate = intermediate_results(spec.formula_source, inputs, case.values)
        input_text = ", ".join(
            [input_text, *(f"{name} {number(value)}" for name, value in intermediate.items())]
        )
    got, error = number(sample.got), error_of(sample)
    return place_of(sample), input_text, sample.expected, got, error, allowed_error_of(sample)


def _checks(specs: SpecSet, case: Case) -> Iterator[str]:
    if not case.expects_success:
        if case.basis != "requirement":
            phases = "One of the phases" if case.is_launched else "Phase one"
            yield f"{phases} returns {case.required_status}, in each of two equal calls."
        yield "Nothing is written: neither to a tensor's elements nor around it."
        return
    yield "Both phases and the stream return 0."
    spec = specs.operator(case.operator)
    if spec.is_contract:
        yield (
            "Each element of the results is a finite number, where the document promises one. "
            "The values are not compared."
        )
    else:
        one = "one of what the document allows, within its tolerance"
        yield f"Each element of the results is {'a number' if spec.is_random else one}."
    yield (
        "Inputs keep their elements, and nothing is written around tensors and workspace; the "
        "workspace has exactly the size that phase one requests."
    )
    same = "bit for bit the same results" if DETERMINISM in case.clauses else "such results"
    yield f"A second call, in memory with other contents, has {same}."
    for variant in _variants(specs, case):
        yield f"So has a further call {variant}."


def _variants(specs: SpecSet, case: Case) -> list[str]:
    """Return the descriptions of a case's further runs."""
    runs = Runs(specs, case)
    return [runs.phrase(Launch(run)).strip() for run in runs.further]


def _omissions(specs: SpecSet, observed: ObservedCase) -> Iterator[str]:
    if observed.verdict.verdict is Verdict.CRASH:
        yield "If a signal ends the process during the call, the program prints no finding."
    if observed.verdict.verdict is Verdict.TIMEOUT:
        yield "If phase one does not return, the program does not end; streams time out after 60 s."
    made = _variants(specs, observed.case)
    if omitted := [text for text in _variants(specs, observed.planned) if text not in made]:
        yield f"The suite also makes this call in other ways: {'; '.join(omitted)}."
    if observed.after:
        yield f"The preceding calls that the failure needs: {', '.join(observed.after)}."
    if specs.operator(observed.case.operator).is_random:
        yield (
            "The statistics of random bits, which only the suite computes. What it found is under "
            "Expected and actual; the program does not show it, and may pass."
        )
    if observed.together:
        yield "Findings over a whole run of calls; they are under Expected and actual."
    if observed.bench.standard != "strict":
        yield (
            f"The verdict is by the standard {observed.bench.standard}; the program holds each "
            "element to its own tolerance (the standard strict)."
        )


def _origin(specs: SpecSet, observed: ObservedCase, shrunk: str) -> tuple[str, str]:
    """Return the origin of the call, and the command that runs it.

    The command names no toolkit, because the reader's is elsewhere.
    """
    setup = RunSetup(
        observed.bench.tier,
        observed.bench.specs.edition,
        observed.bench.standard,
        simulator=observed.device.kind == "simulator",
        fault=observed.device.fault,
        variant=observed.device.variant,
        calls=observed.bench.calls,
        folders=specs.paths,
    )
    how = shrunk or "as it was planned"
    return (
        f"It is the case `{observed.planned.id}` of aclnn-cts, {how}. To run the planned case:",
        " \\\n  ".join(run_command(observed.planned.id, observed.planned.product, setup)),
    )


def require_free(folder: Path) -> None:
    """Raise WrongInputError if the name of a new folder is taken."""
    if folder.is_dir() and not any(folder.iterdir()):
        return
    if folder.exists() or folder.is_symlink():
        raise WrongInputError(f"{folder}: already exists and is not empty; name a new folder")


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a new folder atomically.

    Raises:
        WrongInputError: It already exists, or cannot be written.
        NotTrustworthyError: The disk is full.
    """
    require_free(folder)
    work: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        for name, content in files.items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_bytes(content)
        work.chmod(0o755)
        work.replace(folder)
    except OSError as error:
        raise explain(error, folder) from None
    finally:
        if work is not None:
            shutil.rmtree(work, ignore_errors=True)

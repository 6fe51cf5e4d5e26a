# SPDX-License-Identifier: Apache-2.0
"""The content of results.json: everything that is known about a judged run.

What compares runs, or shows them, works on this alone: it needs no specs, no events and no outputs,
and runs of other releases of the suite can be read as long as the format is the same.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer

from aclnn_cts.judge.bias import PooledRounding
from aclnn_cts.judge.samples import Picture, Sample
from aclnn_cts.judge.standards import Figures, Standard
from aclnn_cts.judge.verdicts import Common, Verdict
from aclnn_cts.report.clauses import ClauseVerdict
from aclnn_cts.report.gaps import AnsweredGap, Silence
from aclnn_cts.report.waiver_states import WaiverOutcome
from aclnn_cts.run.environment import Environment
from aclnn_cts.run.folder import Device
from aclnn_cts.spec.clause_models import Basis

Format: TypeAlias = Literal["aclnn-cts/results/3"]
FORMAT: Format = "aclnn-cts/results/3"


class _Entry(BaseModel):
    # Numbers that JSON has no literal for are the strings "NaN", "Infinity" and "-Infinity".
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")


class SuiteEntry(_Entry):
    """The suite that made and judged the run."""

    version: str
    specs_sha256: str


def _figures_of_file(data: Any) -> Any:
    """Return figures of a results file under the names that Python has for them."""
    if not isinstance(data, dict) or "pass" not in data:
        return data
    return {("passed" if name == "pass" else name): value for name, value in data.items()}


FiguresEntry: TypeAlias = Annotated[
    Figures, BeforeValidator(_figures_of_file), PlainSerializer(Figures.as_json)
]
"""What one standard says about a case; ``passed`` is ``pass`` in the file."""


class ResolvingEntry(_Entry):
    """What the judgement of a case could find; ``ulps`` is null if nothing is judged by value."""

    ulps: float | None
    by_value: int
    by_class: int
    plain_zeros: int


class CaseEntry(_Entry):
    """One case.

    Attributes:
        id: The case's id.
        operator: The operator's name.
        verdict: The verdict by the standard that decides.
        scene: Why the case exists.
        dtype: Data type of the operator's first tensor.
        broken: Ids of the broken clauses, most specific first.
        exercised: Ids of the clauses that the case tests.
        kinds: Kinds of what is broken, such as ``value`` or ``memory``, in alphabetical order.
        standards: Figures of each standard; empty if nothing was compared.
        resolving: What the judgement could find; null if nothing was compared.
        seconds: Time of the case on the host.
        device_microseconds: Time on the device of each launch that was made for its time alone; if
            there were none, of each ordinary launch.
        message: One sentence; empty for a pass.
        remarks: What is worth telling, but breaks nothing.
        samples: The first failing elements.
        tries: How many times it was run again.
        confirmed: Whether it broke a promise again alone, in a fresh process.
        after: Ids of the cases without which it breaks no promise, if there are such.
        only_in: In what alone the operator's values are wrong, if that is a data type, rank or
            format; its clauses stand in ``broken``, too.
        unenforced: Ids of the requirements that the device does not enforce.
        basis: Of a call that is wrong: what its documents say of such a call; null of one that
            must work.
        story: What a person reads about a case that did not pass; empty for a pass.
        waiver: Id of the waiver that holds for the case's failure; null if none does.
        facts: What other cases may have in common with it, see :mod:`aclnn_cts.report.facts`.
        pictures: Where the errors of each output that fails sit.
    """

    id: str
    operator: str
    verdict: Verdict
    scene: str
    dtype: str
    broken: tuple[str, ...]
    exercised: tuple[str, ...]
    kinds: tuple[str, ...]
    standards: dict[Standard, FiguresEntry]
    resolving: ResolvingEntry | None
    seconds: float
    device_microseconds: tuple[float, ...]
    message: str
    remarks: tuple[str, ...]
    samples: tuple[Sample, ...]
    story: str
    waiver: str | None
    facts: tuple[str, ...]
    pictures: tuple[Picture, ...]
    tries: int
    confirmed: bool
    after: tuple[str, ...]
    only_in: tuple[Common, ...]
    unenforced: tuple[str, ...]
    basis: Basis | None

    @property
    def is_unenforced(self) -> bool:
        """Whether the device accepts a call that its documents only require not to be made."""
        return self.verdict is Verdict.UNENFORCED

    @property
    def fails(self) -> bool:
        """Whether it breaks a promise, and no waiver holds for that."""
        return self.verdict.breaks_promise and self.waiver is None

    @property
    def named_clause(self) -> str:
        """The broken clause that it names first; empty if it names none."""
        return self.broken[0] if self.broken else ""

    @property
    def outcome(self) -> str:
        """The verdict as it is counted: ``waived`` is one of its own, and no pass."""
        return "waived" if self.waiver is not None else self.verdict.value


class ContradictionEntry(_Entry):
    """Two clauses that cannot both be kept, on how many elements, and how many follow each.

    ``others`` is how many of those that follow neither came back as a further clause says that
    applies to them, too, by its id.
    """

    operator: str
    clauses: tuple[str, str]
    elements: int
    follow: tuple[int, int]
    reading: str | None
    others: dict[str, int]

    @property
    def followed(self) -> str:
        """Which clause the device follows, in words: one of the two, or a third one."""
        if self.reading is not None:
            return self.reading
        counts = dict(zip(self.clauses, self.follow, strict=True))
        counts |= {f"{name} (a third clause)": count for name, count in self.others.items()}
        counts["neither"] = self.elements - sum(counts.values())
        told = {name: count for name, count in counts.items() if count > 0}
        if list(told.values()) == [self.elements] and "neither" not in told:
            return next(iter(told))
        return ", ".join(f"{name} on {count:,}" for name, count in told.items())


class ResultsDocument(_Entry):
    """The whole of results.json.

    ``totals`` holds the number of planned cases, and of those with each verdict, by name; a case
    whose failure is waived counts under ``waived`` instead. ``waivers`` says what became of each
    waiver; it is empty if the run was judged without any. ``nonce`` is what the events of the run,
    or of the kit, repeat. ``timings`` is how many launches of each
    call were made for their time alone; ``all_operators`` is whether cases of every tested operator
    are among those planned. ``cann`` is the toolkit's folder on the host of a run on hardware;
    empty for a kit, which ran where nobody gives our commands. ``sanitize`` is whether simulator
    and programs were built with AddressSanitizer and UBSan. ``enforce`` is whether a requirement
    that the device does not enforce ends with exit status 1.
    """

    format: Format
    suite: SuiteEntry
    device: Device
    environment: Environment
    started: str
    tier: str
    standard: Standard
    edition: str
    totals: dict[str, int]
    problems: tuple[str, ...]
    cases: tuple[CaseEntry, ...]
    clauses: tuple[ClauseVerdict, ...]
    rounding: tuple[PooledRounding, ...]
    contradictions: tuple[ContradictionEntry, ...]
    not_promised: tuple[Silence, ...]
    document_gaps: tuple[AnsweredGap, ...]
    waivers: tuple[WaiverOutcome, ...]
    nonce: str
    timings: int
    all_operators: bool
    cann: str
    sanitize: bool
    enforce: bool

    @property
    def unenforced(self) -> tuple[tuple[ClauseVerdict, tuple[CaseEntry, ...]], ...]:
        """The requirements that the device does not enforce, each with the calls it accepts."""
        held: dict[tuple[str, str], list[CaseEntry]] = {}
        for case in self.cases:
            for clause in case.unenforced if case.is_unenforced else ():
                held.setdefault((case.operator, clause), []).append(case)
        return tuple(
            (clause, tuple(held[clause.operator, clause.clause]))
            for clause in self.clauses
            if (clause.operator, clause.clause) in held
        )

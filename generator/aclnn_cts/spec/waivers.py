# SPDX-License-Identifier: Apache-2.0
"""Known failures that the user accepts until a date: ``waivers.yaml``.

A waiver accepts one kind of failure of some cases, and states the reason, the owner and the last
day. :mod:`aclnn_cts.report.waivers` applies it to a run.
"""

from __future__ import annotations

import datetime
import fnmatch
import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)
from typing_extensions import Self

from aclnn_cts.errors import WrongFileError, WrongInputError, unknown_name
from aclnn_cts.spec.clause_models import (
    ClauseId,
    Complaint,
    OperatorName,
    ProductId,
    Sentence,
    Strict,
)
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.model_files import read_model, refuse
from aclnn_cts.spec.names import PLANNED_SCENES
from aclnn_cts.spec.products import unknown_product
from aclnn_cts.spec.yaml_files import Location

_VERSION = re.compile(
    r"(?P<release>\d+\.\d+(?:\.\d+)?)"
    r"(?:\.RC(?P<candidate>\d+))?"
    r"(?:[.-](?P<stage>alpha|beta)\.?(?P<build>\d+))?",
    re.IGNORECASE,
)
_BOUND = re.compile(r"\s*(?P<comparison><=|>=|==|!=|<|>)\s*(?P<version>\S+)\s*")

_LAST_CANDIDATE = 1_000_000
"""Number of the release itself, which sorts after all candidates."""

_AFTER_ALPHA = 1_000_000
"""Added to the number of a beta build, which sorts after all alpha builds."""


def cann_version(text: str) -> Version | None:
    """Parse a CANN version; None if the text is not one, as with the simulated device."""
    match = _VERSION.fullmatch(text.strip())
    if match is None:
        return None
    release, candidate, stage, build = match.group("release", "candidate", "stage", "build")
    if stage is None:
        return Version(f"{release}rc{candidate}" if candidate else release)
    number = int(build) + (_AFTER_ALPHA if stage.lower() == "beta" else 0)
    return Version(f"{release}rc{candidate or _LAST_CANDIDATE}.dev{number}")


def cann_range(text: str) -> SpecifierSet:
    """Return a range of versions, such as ``>=8.0,<8.2`` or ``==8.0.RC3``.

    Raises:
        ValueError: It is not a version; the message says what is allowed.
    """
    return SpecifierSet(",".join(map(_bound, text.split(","))), prereleases=True)


def _bound(text: str) -> str:
    match = _BOUND.fullmatch(text)
    wrong = ValueError(
        f"{text.strip()!r} is not a range of CANN versions; allowed: <, <=, >, >=, == or != and a "
        "version such as 8.0, 8.0.RC3 or 8.0.*, several joined by commas"
    )
    if match is None:
        raise wrong
    comparison, name = match.group("comparison", "version")
    version = cann_version(name)
    try:
        SpecifierSet(f"{comparison}{version or name}")
    except InvalidSpecifier:
        raise wrong from None
    if version is None and not re.fullmatch(r"\d+(\.\d+)*\.\*", name):
        raise wrong
    return f"{comparison}{version or name}"


def in_range(text: str, allowed: str) -> bool:
    """Whether a CANN version is in a range; an unknown version is not.

    Args:
        text: The toolkit's version.
        allowed: The range, see :func:`cann_range`.
    """
    version = cann_version(text)
    return version is not None and cann_range(allowed).contains(version)


FailureClass: TypeAlias = Literal[
    "value",
    "status",
    "memory",
    "unwritten",
    "repeat",
    "unsteady",
    "producer",
    "crash",
    "timeout",
    "flaky",
]
"""Class of a failure: a kind of ``results.json``, or a verdict other than ``fail``."""


def _range(text: str) -> str:
    cann_range(text)
    return text


def _date(value: Any) -> Any:
    # pydantic would read a plain number as seconds since 1970
    if not isinstance(value, datetime.date | str) or isinstance(value, datetime.datetime):
        raise ValueError("must be a date such as 2026-12-31")  # noqa: TRY004 - pydantic's way
    return value


def _case_pattern(text: str) -> str:
    if not _OF_IDS.fullmatch(text):
        raise ValueError(
            f"{text!r} is not a pattern for case ids; write an id, or one with `*` and `?` for "
            "what varies, such as 'LogitGrad.*.float16.*'"
        )
    return text


_OF_IDS = re.compile(r"[A-Za-z0-9._:+*?-]+")

CasePattern = Annotated[
    str,
    AfterValidator(_case_pattern),
    WithJsonSchema({"type": "string", "pattern": f"^{_OF_IDS.pattern}$"}),
]
ClausePattern = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9*?]+(-[a-z0-9*?]+)*$"),
    Field(description="A clause's id; `*` and `?` are wildcards."),
]
CannRange = Annotated[
    str,
    AfterValidator(_range),
]
Link = Annotated[
    str,
    StringConstraints(pattern=r"^https?://[^\s/]+\S*$"),
    Field(description="The issue about the failure."),
]


class Waiver(Strict):
    """An accepted failure: cases, kind, reason, owner and last day."""

    id: ClauseId = Field(description="The waiver's name in results; stable, unique in the file.")
    operator: OperatorName
    products: list[ProductId] | None = Field(
        default=None, min_length=1, description="Products; all if absent."
    )
    cann: CannRange | None = Field(
        default=None, description="Versions of CANN, such as `>=8.0,<8.2`; all if absent."
    )
    cases: list[CasePattern] | None = Field(
        default=None, min_length=1, description="Ids of cases; `*` and `?` are wildcards."
    )
    clauses: list[ClausePattern] | None = Field(
        default=None, min_length=1, description="The only clauses that the cases may break."
    )
    failure: list[FailureClass] = Field(min_length=1, description="The accepted kinds of failure.")
    max_ulp: float | None = Field(
        default=None,
        ge=0,
        strict=True,
        description="The largest accepted error in ulps, `.inf` for any; only for `value`.",
    )
    reason: Sentence = Field(description="Why the failure is accepted.")
    link: Link
    owner: str = Field(min_length=2, description="Who is responsible for removing the waiver.")
    expires: Annotated[datetime.date, BeforeValidator(_date)] = Field(
        description="The last day on which the failure is accepted."
    )

    @model_validator(mode="after")
    def _is_narrow(self) -> Self:
        if self.cases is None and self.clauses is None:
            raise ValueError("names neither cases nor clauses; give at least one of them")
        if "value" in self.failure and self.max_ulp is None:
            raise ValueError("max_ulp is missing; a waiver for wrong values says how wrong")
        if "value" not in self.failure and self.max_ulp is not None:
            raise ValueError("max_ulp is for the failure class value only")
        return self

    @property
    def sha256(self) -> str:
        """Digest of its content."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()

    def speaks_of(self, case: str) -> bool:
        """Whether an id or a pattern of cases matches an id; true without any."""
        ids, patterns = self._cases
        return self.cases is None or case in ids or _matches(case, patterns)

    @cached_property
    def _cases(self) -> tuple[frozenset[str], tuple[str, ...]]:
        """The plain ids, which may be thousands, and the patterns."""
        patterns = tuple(pattern for pattern in self.cases or () if re.search(r"[*?]", pattern))
        return frozenset(self.cases or ()).difference(patterns), patterns

    def names_clause(self, clause: str) -> bool:
        """Whether a pattern of clauses matches an id; true without patterns."""
        return _matches(clause, self.clauses)

    @property
    def largest_ulp(self) -> float:
        """The largest error that is accepted, in ulps of the output's type."""
        return math.inf if self.max_ulp is None else self.max_ulp


def _matches(name: str, patterns: Sequence[str] | None) -> bool:
    return patterns is None or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


class Waivers(Strict):
    """waivers.yaml."""

    waivers: list[Waiver] = Field(description="One per accepted failure.")


def load_waivers(path: Path, specs: SpecSet, *besides: SpecSet) -> Waivers:
    """Read and check a file of waivers.

    Args:
        specs: The known operators, products, scenes and clauses.
        besides: Other editions whose clauses and scenes are also known.

    Raises:
        WrongInputError: ``path:LINE: what is wrong``, one line per mistake.
    """
    waivers, lines = _read(path)
    try:
        refuse(path, lines, _complaints(waivers, (specs, *besides)))
    except WrongFileError as error:
        raise WrongInputError(str(error)) from None
    return waivers


def require_waivers(path: Path | None) -> None:
    """Check the form of a waivers file, without specs; None means no file.

    Raises:
        WrongInputError: As for :func:`load_waivers`.
    """
    if path is not None:
        _read(path)


def _read(path: Path) -> tuple[Waivers, dict[Location, int]]:
    """Read the file; its mistakes do not affect existing results."""
    try:
        return read_model(path, Waivers)
    except WrongFileError as error:
        raise WrongInputError(str(error)) from None


def _complaints(waivers: Waivers, editions: Sequence[SpecSet]) -> Iterator[Complaint]:
    ids = Counter(waiver.id for waiver in waivers.waivers)
    products = {name: product for specs in editions for name, product in specs.products.items()}
    for number, waiver in enumerate(waivers.waivers):
        at: Location = ("waivers", number)
        if ids[waiver.id] > 1:
            yield (
                (*at, "id"),
                f"the id {waiver.id!r} appears {ids[waiver.id]} times; make it unique",
            )
        for place, product in enumerate(waiver.products or ()):
            if product not in products:
                yield (*at, "products", place), str(unknown_product(product, products))
        yield from _operator_complaints(waiver, editions, at)


def _operator_complaints(
    waiver: Waiver, editions: Sequence[SpecSet], at: Location
) -> Iterator[Complaint]:
    """Yield a waiver's references that exist in no edition of its operator's spec."""
    tested = {spec.operator: spec for specs in editions for spec in specs.tested_operators}
    if waiver.operator not in tested:
        yield (*at, "operator"), _unknown("operator", waiver.operator, tested)
        return
    specs_of_editions = [specs.operators[waiver.operator] for specs in editions]
    scenes = dict.fromkeys(PLANNED_SCENES)
    for spec in specs_of_editions:
        part_ids = (*(scene.id for scene in spec.scenes), *(error.id for error in spec.errors))
        scenes |= dict.fromkeys(part_ids)
    for place, pattern in enumerate(waiver.cases or ()):
        yield from _case_complaints(waiver.operator, pattern, scenes, (*at, "cases", place))
    ids: dict[str, object] = {}
    for specs, spec in zip(editions, specs_of_editions, strict=True):
        ids |= specs.clause_texts(spec.operator)
    for place, pattern in enumerate(waiver.clauses or ()):
        if not fnmatch.filter(ids, pattern):
            yield (*at, "clauses", place), _unknown("clause", pattern, ids)


def _case_complaints(
    operator: str, pattern: str, scenes: Mapping[str, object], at: Location
) -> Iterator[Complaint]:
    head, star, _ = pattern.partition("*")
    parts = head.split(".")
    if not fnmatch.fnmatchcase(operator.removeprefix("aclnn"), _up_to(parts, 0, star)):
        yield at, f"{pattern!r} is not a case of {operator}"
        return
    if not star and len(parts) < _PARTS:
        yield (
            at,
            f"{pattern!r} is not a whole id; write '{pattern}.*' for all ids with this prefix",
        )
        return
    scene = _up_to(parts, 1, star) if len(parts) > 1 else "*"
    if not fnmatch.filter(scenes, scene):
        yield at, _unknown("scene", scene.rstrip("*"), scenes)


_PARTS = 3
"""An id has at least an operator and a scene, separated by dots."""


def _up_to(parts: Sequence[str], place: int, star: str) -> str:
    """Return the part of a pattern before a star, which may span parts of an id."""
    return parts[place] + (star if place == len(parts) - 1 else "")


def _unknown(kind: str, name: str, known: Mapping[str, object]) -> str:
    return str(unknown_name(kind, name, known))

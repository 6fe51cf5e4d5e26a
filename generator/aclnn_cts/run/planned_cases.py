# SPDX-License-Identifier: Apache-2.0
"""The packed cases of a run and their data references, unpacked one operator at a time.

A packed case takes about 200 bytes, an unpacked one 30 times as many. So a run that is read from
its folder holds all cases packed, and unpacks those of one operator at a time.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import itertools
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.journal import PLAN_FILE, damaged
from aclnn_cts.validation_messages import damage_of

_LEVEL = 6
"""Compression level: 190 bytes per case instead of 276 at level 1, for 7 microseconds more."""

_MOST_KEPT = 8192
"""Number of unpacked cases that are cached, so that a small run is unpacked once."""


@dataclass(frozen=True, slots=True)
class PlannedCase:
    """A case of a run.

    Attributes:
        data: Location of its data; None if it is skipped.
    """

    case: Case
    data: DataReference | None = None


_CASES = msgspec.msgpack.Decoder(tuple[PlannedCase, ...])


def pack_cases(planned: Sequence[PlannedCase]) -> bytes:
    """Return cases as MessagePack in a gzip member."""
    return gzip.compress(msgspec.msgpack.encode(planned), _LEVEL, mtime=0)


def unpack_cases(content: bytes) -> tuple[PlannedCase, ...]:
    """Return the cases that :func:`pack_cases` packed; ValueError if they are damaged."""
    try:
        return _CASES.decode(gzip.decompress(content))
    except (OSError, EOFError, zlib.error, msgspec.MsgspecError) as error:
        raise ValueError(f"they cannot be unpacked: {error}") from None


@dataclass(frozen=True)
class Portion:
    """The cases of one operator, packed.

    Attributes:
        content: What :func:`pack_cases` returned.
    """

    operator: str
    cases: int
    content: bytes = field(repr=False)

    @functools.cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    def unpack(self) -> dict[str, PlannedCase]:
        """Return the cases by their ids.

        Raises:
            NotTrustworthyError: They are damaged.
        """
        try:
            planned = unpack_cases(self.content)
        except ValueError as error:
            raise self._damaged(str(error)) from None
        cases = {each.case.id: each for each in planned if each.case.operator == self.operator}
        if len(cases) != len(planned) or len(cases) != self.cases:
            raise self._damaged(f"expected {self.cases} different ones")
        return cases

    def _damaged(self, how: str) -> NotTrustworthyError:
        return damaged(PLAN_FILE, f"the cases of {self.operator}: {how}")


@dataclass(frozen=True)
class PlannedCases:
    """All cases of a run in order, grouped by operator.

    Attributes:
        portions: By operator.
    """

    portions: tuple[Portion, ...]
    _unpacked: dict[str, dict[str, PlannedCase]] = field(
        default_factory=dict, repr=False, compare=False
    )

    @classmethod
    def pack(cls, planned: Iterable[PlannedCase]) -> PlannedCases:
        """Pack cases that are grouped by operator; they stay unpacked, too, because callers do."""
        portions: list[Portion] = []
        unpacked: dict[str, dict[str, PlannedCase]] = {}
        for operator, group in itertools.groupby(planned, key=lambda each: each.case.operator):
            cases = unpacked[operator] = {each.case.id: each for each in group}
            content = pack_cases(list(cases.values()))
            portions.append(Portion(operator, len(cases), content))
        return cls(tuple(portions), unpacked)

    @classmethod
    def read(cls, file: Path, index: Sequence[Mapping[str, Any]]) -> PlannedCases:
        """Read the cases of a file.

        Args:
            index: What :meth:`index` returned; LookupError or TypeError if it is malformed.

        Raises:
            NotTrustworthyError: The file is missing or damaged.
        """
        portions, start = [], 0
        try:
            content = file.read_bytes()
        except OSError as error:
            raise damaged(file, damage_of(error)) from None
        for entry in index:
            end = start + int(entry["bytes"])
            portions.append(Portion(entry["operator"], int(entry["cases"]), content[start:end]))
            if portions[-1].sha256 != entry["sha256"]:
                raise damaged(file, f"the cases of {entry['operator']} were modified")
            start = end
        if start != len(content):
            raise damaged(file, "there are data after its last case")
        return cls(tuple(portions))

    def index(self) -> list[dict[str, Any]]:
        """Return the checksums of a file with this content, as JSON values."""
        return [
            {"operator": p.operator, "cases": p.cases, "bytes": len(p.content), "sha256": p.sha256}
            for p in self.portions
        ]

    @property
    def operators(self) -> tuple[str, ...]:
        return tuple(portion.operator for portion in self.portions)

    def of(self, operator: str) -> Mapping[str, PlannedCase]:
        """Return the cases of an operator, by their ids, in order; none of an unknown one.

        Raises:
            NotTrustworthyError: They are damaged.
        """
        if operator not in self._unpacked:
            portion = self.portion(operator)
            if portion is None:
                return {}
            cases = portion.unpack()
            while (
                self._unpacked and len(cases) + sum(map(len, self._unpacked.values())) > _MOST_KEPT
            ):
                del self._unpacked[next(iter(self._unpacked))]
            self._unpacked[operator] = cases
        return self._unpacked[operator]

    def portion(self, operator: str) -> Portion | None:
        """Return the packed cases of an operator; None of an unknown one."""
        return next((p for p in self.portions if p.operator == operator), None)

    def stored(self) -> Iterator[str]:
        """Yield the paths of the cases' data in the store."""
        for operator in self.operators:
            for planned in self.of(operator).values():
                if planned.data is not None and planned.data.path is not None:
                    yield planned.data.path

    def find(self, case_id: str) -> PlannedCase | None:
        """Return the case of that id, if there is one; raises as :meth:`of`."""
        # An id usually contains its operator's name.
        likely = "aclnn" + case_id.split(".", 1)[0]
        for operator in sorted(self.operators, key=lambda name: name != likely):
            if planned := self.of(operator).get(case_id):
                return planned
        return None

    def __len__(self) -> int:
        return sum(portion.cases for portion in self.portions)

    def __iter__(self) -> Iterator[Case]:
        """Yield the cases in order; raises as :meth:`of`."""
        for operator in self.operators:
            for planned in self.of(operator).values():
                yield planned.case

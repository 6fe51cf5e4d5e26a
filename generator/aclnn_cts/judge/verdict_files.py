# SPDX-License-Identifier: Apache-2.0
"""Files of verdicts: of a cluster's hosts, of compact results folders, and of earlier runs.

A card that computes as it did last night returns the same bits, and the verdict on them is the
same. Verdicts on equal records are reused if everything else on which they depend is equal, too.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from msgspec import MsgspecError, msgpack

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.judge.standards import Standard
from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.run.planned_cases import Portion
from aclnn_cts.run.process import ProgramRun
from aclnn_cts.spec.loading import load_specs, specs_digest
from aclnn_cts.suite import Suite, code_digest
from aclnn_cts.validation_messages import damage_of

# at import, because the files may change while the process runs the old code
_CODE = code_digest(
    *(f"{room}/*.py" for room in ("spec", "violations", "plan", "golden", "judge")),
    "golden/operators/*.py",
    "emit/data_files.py",
    "run/events.py",
    library="numpy",
)


@dataclass(frozen=True)
class Told:
    """A verdict on a case by a host of a cluster, or in an earlier run.

    Attributes:
        fingerprint: As :func:`aclnn_cts.judge.records.fingerprint_of` returns it; empty in a
            compact folder, where digests bind the verdict to its record.
    """

    verdict: CaseVerdict
    fingerprint: str


@dataclass(frozen=True)
class _VerdictsFile:
    """Verdicts on cases of a process whose outputs are not in the results folder.

    Attributes:
        context: Digest of all that the verdicts depend on beside plan and record, in a compact
            folder. Empty if a cluster's host judged what it ran: this suite has sent it its code.
    """

    standard: Standard
    cases: dict[str, Told]
    context: str = ""
    format: Literal["aclnn-cts/verdicts/3"] = "aclnn-cts/verdicts/3"


_FILE = msgpack.Decoder(_VerdictsFile)

ToldVerdicts = Mapping[tuple[str, str], Told]
"""Verdicts so far, by the name of the process and the case's id."""


def read_verdicts(
    programs: Iterable[ProgramRun], standard: Standard, context: str = ""
) -> ToldVerdicts:
    """Return the verdicts on cases of processes whose outputs are elsewhere or gone.

    Args:
        context: As :func:`context_of` returns it; verdicts of a compact folder with another one are
            left out. Empty to leave out all of them.

    Raises:
        NotTrustworthyError: A file is damaged, or was judged by another standard.
    """
    verdicts: dict[tuple[str, str], Told] = {}
    for program in programs:
        if not program.verdicts_sha256:
            continue
        path = program.verdicts
        try:
            file = _FILE.decode(gzip.decompress(path.read_bytes()))
        except (OSError, EOFError, zlib.error, MsgspecError) as error:
            damage = damage_of(error)
            raise NotTrustworthyError(f"{path}: is damaged ({damage}); run it again") from None
        if file.context and file.context != context:
            continue
        if file.standard != standard:
            raise NotTrustworthyError(
                f"{path}: was judged on its host by the standard {file.standard}, and its outputs "
                f"stayed there; run with --judge home to judge by {standard}, too"
            )
        verdicts |= {(program.name, name): each for name, each in file.cases.items()}
    return verdicts


def pack_verdicts(standard: Standard, cases: dict[str, Told], context: str = "") -> bytes:
    """Return the content of a file of verdicts, by case id."""
    return gzip.compress(msgpack.encode(_VerdictsFile(standard, cases, context)), mtime=0)


def context_of(suite: Suite, edition: str, standard: Standard) -> str:
    """Return a digest of all that verdicts depend on beside plan and records."""
    # as they were read, because the files may change during the run
    quarantine = repr(load_specs(suite, edition).quarantine)
    context = "\n".join([_CODE, specs_digest(suite), quarantine, edition, standard])
    return hashlib.sha256(context.encode()).hexdigest()


@dataclass(frozen=True)
class VerdictCache:
    """Verdicts of earlier runs, in a file of the cache for each operator and plan.

    Attributes:
        context: As :func:`context_of` returns it.
    """

    store: PlanCache
    context: str

    @classmethod
    def of(cls, suite: Suite, edition: str, standard: Standard) -> VerdictCache:
        return cls(PlanCache.of(suite), context_of(suite, edition, standard))

    def read(self, portion: Portion) -> dict[str, Told]:
        """Return the verdicts on an operator's cases, by id; none if the file is damaged."""
        key = f"{self.context}\n{portion.sha256}"
        return self.store.load("verdicts", key, dict[str, Told]) or {}

    def write(
        self, portion: Portion, earlier: Mapping[str, Told], cases: Mapping[str, Told]
    ) -> None:
        """Keep earlier verdicts, and in their place those of the cases that find nothing wrong."""
        right = {
            name: told
            for name, told in cases.items()
            if not (told.verdict.verdict.breaks_promise or told.verdict.verdict.proves_nothing)
        }
        if not right:
            return
        self.store.keep("verdicts", f"{self.context}\n{portion.sha256}", {**earlier, **right})

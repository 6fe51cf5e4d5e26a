# SPDX-License-Identifier: Apache-2.0
"""Files of verdicts: those of a cluster's hosts, and those of earlier runs on this host.

A card that computes as it did last night returns the same bits, and the verdict on them is the
same. Verdicts on equal records are reused if everything else on which they depend is equal, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.judge.standards import Standard
from aclnn_cts.judge.verdicts import CaseVerdict
from aclnn_cts.plan.covering import CoveringStore
from aclnn_cts.run.planned_cases import Portion
from aclnn_cts.run.process import ProgramRun
from aclnn_cts.spec.loading import load_specs, specs_digest
from aclnn_cts.suite import Suite, code_digest
from aclnn_cts.validation_messages import damage_of, duplicate_key, json_damage

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
        fingerprint: As :func:`aclnn_cts.judge.records.fingerprint_of` returns it.
    """

    verdict: CaseVerdict
    fingerprint: str


@dataclass(frozen=True)
class _VerdictsFile:
    """Verdicts of a cluster's host on the cases that it ran.

    Their outputs stay on the host, so a later judge has only these verdicts, by the standard of
    that time.
    """

    __pydantic_config__: ClassVar = ConfigDict(ser_json_inf_nan="constants")

    standard: Standard
    cases: dict[str, Told]
    format: Literal["aclnn-cts/verdicts/1"] = "aclnn-cts/verdicts/1"


_ADAPTER = TypeAdapter(_VerdictsFile)
_TOLD = TypeAdapter(Told)

ToldVerdicts = Mapping[tuple[str, str], Told]
"""Verdicts so far, by the name of the process and the case's id."""


def read_verdicts(programs: Iterable[ProgramRun], standard: Standard) -> ToldVerdicts:
    """Return the hosts' verdicts on the cases of processes.

    Raises:
        NotTrustworthyError: A file is damaged, or was judged by another standard.
    """
    verdicts: dict[tuple[str, str], Told] = {}
    for program in programs:
        if not program.verdicts_sha256:
            continue
        path = program.verdicts
        try:
            content = path.read_bytes()
            damage = duplicate_key(content)
            file = _ADAPTER.validate_json(content)
        except OSError as error:
            damage = damage_of(error)
        except ValidationError as error:
            damage = json_damage(error, "the file")
        if damage:
            raise NotTrustworthyError(f"{path}: is damaged ({damage}); run it again")
        if file.standard != standard:
            raise NotTrustworthyError(
                f"{path}: was judged on its host by the standard {file.standard}, and its outputs "
                f"stayed there; run with --judge home to judge by {standard}, too"
            )
        verdicts |= {(program.events.stem, name): each for name, each in file.cases.items()}
    return verdicts


def pack_verdicts(standard: Standard, cases: dict[str, Told]) -> bytes:
    """Return the content of a file of verdicts, by case id."""
    return _ADAPTER.dump_json(_VerdictsFile(standard, cases))


@dataclass(frozen=True)
class VerdictCache:
    """Verdicts of earlier runs, in a file of the cache for each operator and plan.

    Attributes:
        context: All that verdicts depend on beside the plan and the records.
    """

    store: CoveringStore
    context: str

    @classmethod
    def of(cls, suite: Suite, edition: str, standard: Standard) -> VerdictCache:
        # as they were read, because the files may change during the run
        quarantine = repr(load_specs(suite, edition).quarantine)
        context = "\n".join([_CODE, specs_digest(suite), quarantine, edition, standard])
        return cls(CoveringStore.of(suite), context)

    def read(self, portion: Portion) -> dict[str, Told]:
        """Return the verdicts on an operator's cases, by id; none if the file is damaged."""
        cases = self.store.load("verdicts", f"{self.context}\n{portion.sha256}")
        return {name: _TOLD.validate_python(told) for name, told in cases or ()}

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
        kept = {**earlier, **right}
        values = ((name, _TOLD.dump_python(told, mode="json")) for name, told in kept.items())
        self.store.keep("verdicts", f"{self.context}\n{portion.sha256}", values)

# SPDX-License-Identifier: Apache-2.0
"""What a kit holds: sources, case files, inputs, and what tells them from others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from aclnn_cts import __version__
from aclnn_cts.emit.case_file import case_file_text
from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.errors import WrongInputError
from aclnn_cts.kit.description import KIT_FILE, KitDescription, SuiteOrigin
from aclnn_cts.kit.sealing import MANIFEST, MANIFEST_DIGEST, Member, manifest_text, write_sealed
from aclnn_cts.plan.cases import Case, case_to_json
from aclnn_cts.run.executor import batches_of
from aclnn_cts.spec.loading import SpecSet, specs_digest
from aclnn_cts.suite import Suite

PREFIX = "aclnn-cts-kit/"
"""The folder that a kit unpacks to."""

NONCE_FILE = "nonce.txt"
_AT_THE_TOP = ("Makefile", "README.txt", "run.sh")
_SOURCES = (".cpp", ".h", ".cmake", ".txt")


@dataclass(frozen=True)
class KitRequest:
    """What a kit is to hold.

    Attributes:
        product: The product's id.
        tier: The tier that was asked for.
        standard: The standard that decides.
        cases: The cases.
        references: Where each case's data stand in the store, by case id.
        store: The folder of the input data.
        nonce: What the kit's events repeat.
        packed: When it is packed, UTC, in the form of ISO 8601.
        timings: Launches of each call that must work, for their time alone.
    """

    product: str
    tier: str
    standard: str
    cases: tuple[Case, ...]
    references: Mapping[str, DataReference]
    store: Path
    nonce: str
    packed: str
    timings: int = 0


def require_new(archive: Path) -> None:
    """See to it that no kit is replaced: what comes back from the first would be refused for ever.

    Raises:
        WrongInputError: The archive, or something else of its name, is there already.
    """
    if archive.exists() or archive.is_symlink():
        raise WrongInputError(f"{archive}: is there already; name another file, or remove it")


def pack(suite: Suite, specs: SpecSet, request: KitRequest, archive: Path) -> int:
    """Write a kit; return the number of its files. The same request gives the same bytes.

    Raises:
        WrongInputError: The archive is there already, or cannot be written.
        NotTrustworthyError: The disk is full.
    """
    require_new(archive)
    members = sorted(_members(suite, specs, request), key=lambda member: member.name)
    manifest = Member(MANIFEST, manifest_text(members).encode())
    digest = Member(MANIFEST_DIGEST, manifest.digest.encode())
    whole = [manifest, digest, *members]
    write_sealed(archive, (replace(member, name=PREFIX + member.name) for member in whole))
    return len(whole)


def _members(suite: Suite, specs: SpecSet, request: KitRequest) -> Iterator[Member]:
    described = _describe(suite, specs, request).model_dump_json()
    yield Member(KIT_FILE, (described + "\n").encode())
    yield Member(NONCE_FILE, request.nonce.encode())
    yield from _sources(suite)
    # The longest is begun first, so that no device waits for it at the end.
    batches = sorted(batches_of(request.cases), key=lambda batch: -batch.elements)
    calls: dict[str, dict[str, None]] = {}
    for batch in batches:
        cases = ((case, request.references[case.id]) for case in batch.cases)
        text = case_file_text(specs, batch.operator, cases, request.nonce, request.timings)
        calls.setdefault(batch.operator, {}).update(dict.fromkeys(_called(text, batch.operator)))
        yield Member(f"cases/{batch.name}.txt", text.encode())
    listed = "".join(f"{batch.name} {batch.operator}\n" for batch in batches)
    yield Member("batches.txt", listed.encode())
    yield Member("programs.mk", _programs_text(calls).encode())
    paths = {reference.path for reference in request.references.values()}
    for path in paths - {None}:
        yield Member(f"data/{path}", request.store / str(path))


def _describe(suite: Suite, specs: SpecSet, request: KitRequest) -> KitDescription:
    return KitDescription(
        format="aclnn-cts/kit/1",
        suite=SuiteOrigin(version=__version__, specs_sha256=specs_digest(suite)),
        product=request.product,
        tier=request.tier,
        standard=request.standard,
        edition=specs.edition,
        nonce=request.nonce,
        timings=request.timings,
        packed=request.packed,
        data={name: request.references[name] for name in sorted(request.references)},
        cases=tuple(case_to_json(case) for case in request.cases),
    )


def _sources(suite: Suite) -> Iterator[Member]:
    own = suite.harness / "kit"
    for name in _AT_THE_TOP:
        yield Member(name, own / name, executable=name == "run.sh")
    at_the_top = {own / name for name in _AT_THE_TOP}
    for folder in (suite.harness, suite.generated_tests):
        for path in folder.rglob("*"):
            if path.is_file() and path.suffix in _SOURCES and path not in at_the_top:
                yield Member(f"{folder.name}/{path.relative_to(folder).as_posix()}", path)


def _called(cases: str, measured: str) -> Iterator[str]:
    """Yield the operators that a case file names besides the measured one.

    A toolkit may lack others that a program could call: they are not built.
    """
    for line in cases.splitlines():
        fact, _, rest = line.partition(" ")
        if fact in ("producer", "other") and rest != measured:
            yield rest


def _programs_text(calls: Mapping[str, Iterable[str]]) -> str:
    """Return the part of the Makefile that says which programs are built from which calls."""
    held = dict.fromkeys((*calls, *(called for each in calls.values() for called in each)))
    lines = [f"programs := {' '.join(calls)}", f"calls := {' '.join(held)}"]
    lines += [f"{name}_calls := {' '.join(called)}".rstrip() for name, called in calls.items()]
    return "\n".join(lines) + "\n"

# SPDX-License-Identifier: Apache-2.0
"""The parts of the specs that some operators depend on, and whether they have changed.

A run, or a kit that is away, can be judged as long as the specs of its own operators are the same,
whatever was changed in others. The quarantine is no part: it changes no case and no data.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from pydantic import BaseModel

from aclnn_cts.files import sha256_of
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite

_SHARED = ("common.yaml", "precision.yaml", "products.yaml")
_ALLOWANCE, _TRAIT = "allowances.yaml#", "traits.yaml#"
_OWN = "operators/"
_FILE = re.compile(rf"({_OWN})?[\w-]+\.(yaml|py|h|cpp)", re.ASCII)


def parts_of(suite: Suite, specs: SpecSet, operators: Iterable[str]) -> dict[str, str]:
    """Return the digests of all parts of the specs that operators depend on, by name.

    A part is a file of the suite's specs, one entry of a file with entries for single operators, or
    ``operators/NAME``, a file of an operator folder.

    Producers count, but not the operator that runs before a call that must not depend on it: any
    other would do.
    """
    selection = [specs.operator(name) for name in operators]
    made_by = [
        item.producer.operator for spec in selection for item in spec.inputs if item.producer
    ]
    needed = [*selection, *map(specs.operator, made_by)]
    entries = {f"{_TRAIT}{name}" for spec in needed for name in spec.traits}
    precision = chain.from_iterable(spec.precision for spec in needed)
    entries |= {f"{_ALLOWANCE}{name}" for item in precision for name in item.allowances}
    files = {f"{spec.second_of or spec.operator}.yaml" for spec in needed}
    folder_files = set(_folder_files(suite, specs, files))
    names = (
        *_SHARED,
        *(files - folder_files),
        *entries,
        *(f"{_OWN}{name}" for name in folder_files),
    )
    return {name: _digest(suite, specs, name) for name in sorted(names)}


def changed_part(suite: Suite, specs: SpecSet, parts: Mapping[str, str]) -> str:
    """Return the name of the first changed part; empty if none has changed."""
    current = ((name, digest, _digest(suite, specs, name)) for name, digest in parts.items())
    return next(
        (name for name, digest, new_digest in current if not new_digest or digest != new_digest), ""
    )


def folder_parts(parts: Mapping[str, str]) -> dict[str, str]:
    """Return the parts that are files of operator folders."""
    return {name: digest for name, digest in parts.items() if name.startswith(_OWN)}


def _folder_files(suite: Suite, specs: SpecSet, paths: set[str]) -> Iterator[str]:
    """Yield the files of operator folders on which the specs in these files depend.

    Code that is not named after another operator's formula may be used by all.
    """
    others = {file.stem for file in suite.files if file.suffix == ".yaml"}
    others -= {name.partition(".")[0] for name in paths}
    elsewhere = {specs.operators[name].kernel for name in others if name in specs.operators}
    folders = {file.parent for file in suite.files if file.name in paths}
    for file in suite.files:
        shared = file.suffix != ".yaml" and file.stem not in elsewhere
        if file.name in paths or (shared and file.parent in folders):
            yield file.name


def _digest(suite: Suite, specs: SpecSet, name: str) -> str:
    """Return the digest of a part; empty if there is none."""
    if name.startswith(_ALLOWANCE):
        return _of_model(specs.allowances.get(name[len(_ALLOWANCE) :]))
    if name.startswith(_TRAIT):
        return _of_model(specs.traits.get(name[len(_TRAIT) :]))
    if not _FILE.fullmatch(name):
        return ""
    file = name[len(_OWN) :]
    path = suite.place_of(file) if name.startswith(_OWN) else suite.specs / name
    return sha256_of(path) if path.is_file() else ""


def _of_model(entry: BaseModel | None) -> str:
    return "" if entry is None else hashlib.sha256(entry.model_dump_json().encode()).hexdigest()

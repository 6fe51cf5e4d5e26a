# SPDX-License-Identifier: Apache-2.0
"""Recipes in place of a kit's large inputs, of which most are uniform numbers.

A recipe is packed only if it gives the bits of the file, so kinds of data may change at any time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.files import mapped
from aclnn_cts.golden.data_kinds import (
    BLOCK,
    FLOAT_FILLS,
    SCATTERED,
    Block,
    Uniform,
    Values,
    elements_of,
    fills_of,
)
from aclnn_cts.plan.cases import Case, TensorCase
from aclnn_cts.spec.loading import SpecSet

LEAST = 512
"""Size in bytes above which a recipe pays off."""

_TYPES = ("float32", "float16", "bfloat16", "double")


def write_recipes(
    specs: SpecSet, store: Path, cases: Iterable[tuple[Case, DataReference]], stored: BinaryIO
) -> Iterator[tuple[str, str]]:
    """Yield the paths and recipes of files, and write what they store.

    Args:
        specs: Of the cases' edition.
        store: Where the files are.
        cases: The cases, with the location of their data; equal files occur once.
    """
    for case, reference in cases:
        if reference.path is None or reference.payload < LEAST:
            continue
        content = memoryview(mapped(store / reference.path))
        start = len(content) - reference.payload
        fills = fills_of(specs.operator(case.operator))
        lines_by_offset: dict[int, tuple[int, str]] = {}
        for tensor in case.inputs:
            field = reference.fields.get(tensor.name)
            if field is not None and field.size >= LEAST // 2:
                offset = start + field.offset
                line = _line_of(tensor, fills, content[offset : offset + field.size], offset)
                lines_by_offset |= {offset: (field.size, line)} if line else {}
        if not lines_by_offset:
            continue
        lines, place = [f"file {reference.path} {reference.sha256} {len(content)}"], 0
        for offset, (size, line) in (*sorted(lines_by_offset.items()), (len(content), (0, ""))):
            if offset > place:
                lines.append(f"stored {place} {offset - place}")
                stored.write(content[place:offset])
            lines += [line] if line else []
            place = offset + size
        yield reference.path, "".join(f"{line}\n" for line in lines)


def _line_of(
    tensor: TensorCase, fills: Mapping[str, Values], content: memoryview, offset: int
) -> str:
    """Return the line from which ``make_data.cpp`` makes a tensor's content; empty for none."""
    fill, numel = tensor.fill, tensor.numel
    if fill is None or fill.kind in SCATTERED or tensor.dtype not in _TYPES:
        return ""
    kind = fills.get(fill.kind) or FLOAT_FILLS.get(fill.kind)
    if not isinstance(kind, Uniform):
        return ""
    size, elements = tensor.data_type.itemsize, elements_of(fill, tensor.data_type, fills)
    for start in range(0, numel, BLOCK):
        block = Block(fill, tensor.shape, start, min(start + BLOCK, numel))
        if elements(block).tobytes() != content[start * size : block.stop * size]:
            return ""
    return uniform_line(kind, fill.seed, (offset, numel, tensor.dtype))


def uniform_line(kind: Uniform, seed: str, place: tuple[int, int, str]) -> str:
    """Return the line of uniform numbers.

    Args:
        place: Their offset in the file in bytes, how many they are, and their data type.
    """
    digest = hashlib.sha256(seed.encode()).digest()
    keys = (f"{int.from_bytes(digest[at : at + 8], 'little'):x}" for at in (0, 8))
    numbers = (number.hex() for number in (kind.low, kind.high, kind.slope))
    return " ".join(map(str, ("uniform", *place, *keys, *numbers, int(kind.signed))))

# SPDX-License-Identifier: Apache-2.0
"""Recipes in place of a kit's large inputs, of which most are uniform numbers.

A recipe is packed only if it gives the bits of the file, so kinds of data may change at any time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.files import mapped
from aclnn_cts.golden.data_kinds import BLOCK, SMALL, random_bits, uniform
from aclnn_cts.golden.expected import FloatArray
from aclnn_cts.plan.cases import Case, TensorCase

LEAST = 512
"""Size in bytes above which a recipe pays off."""

_TYPES = ("float32", "float16", "bfloat16", "double")
_ODD = np.uint64(1)


@dataclass(frozen=True)
class Rule:
    """Uniform numbers of an interval, which may spread towards the end or have either sign."""

    low: float
    high: float
    slope: float = 0.0
    signed: bool = False

    def elements(self, seed: str, numel: int, start: int, stop: int) -> FloatArray:
        """Return elements as float64, before they are rounded to the tensor's type."""
        bits = random_bits(seed, stop - start, start)
        place = np.arange(start, stop) / numel
        values = (1 + self.slope * place) * uniform(bits, self.low, self.high)
        return np.where(bits & _ODD, -values, values) if self.signed else values

    def line(self, seed: str, offset: int, tensor: TensorCase) -> str:
        """Return the line from which ``make_data.cpp`` makes the elements."""
        digest = hashlib.sha256(seed.encode()).digest()
        keys = (f"{int.from_bytes(digest[at : at + 8], 'little'):x}" for at in (0, 8))
        numbers = (each.hex() for each in (self.low, self.high, self.slope))
        words = (offset, tensor.numel, tensor.dtype, *keys, *numbers, int(self.signed))
        return " ".join(map(str, ("uniform", *words)))


RULES: Mapping[str, Rule] = {
    "uniform": Rule(-5.0, 5.0),
    "unit-interval": Rule(0.0009765625, 0.9990234375),
    "wide": Rule(-3.0, 4.0),
    "positive": Rule(0.125, 2.0),
    "negative": Rule(-5.0, -0.125),
    "all-positive": Rule(0.125, 5.0),
    SMALL: Rule(0.125, 1.0, signed=True),
    "own-spread": Rule(-1.0, 3.0, slope=7.0),
}
"""The rules of kinds of data, see :mod:`aclnn_cts.golden.data_kinds`."""


def write_recipes(
    store: Path, cases: Iterable[tuple[Case, DataReference]], stored: BinaryIO
) -> Iterator[tuple[str, str]]:
    """Yield the paths and recipes of files, and write what they store.

    Args:
        store: Where the files are.
        cases: The cases, with the location of their data; equal files occur once.
    """
    for case, reference in cases:
        if reference.path is None or reference.payload < LEAST:
            continue
        content = memoryview(mapped(store / reference.path))
        start = len(content) - reference.payload
        made: dict[int, tuple[int, str]] = {}
        for tensor in case.inputs:
            field = reference.fields.get(tensor.name)
            if field is not None and field.size >= LEAST // 2:
                offset = start + field.offset
                line = _line_of(tensor, content[offset : offset + field.size], offset)
                made |= {offset: (field.size, line)} if line else {}
        if not made:
            continue
        lines, place = [f"file {reference.path} {reference.sha256} {len(content)}"], 0
        for offset, (size, line) in (*sorted(made.items()), (len(content), (0, ""))):
            if offset > place:
                lines.append(f"stored {place} {offset - place}")
                stored.write(content[place:offset])
            lines += [line] if line else []
            place = offset + size
        yield reference.path, "".join(f"{each}\n" for each in lines)


def _line_of(tensor: TensorCase, content: memoryview, offset: int) -> str:
    """Return the line of a recipe that gives the content of a tensor; empty if none does."""
    rule = RULES.get(tensor.fill.kind) if tensor.fill is not None else None
    if tensor.fill is None or rule is None or tensor.dtype not in _TYPES:
        return ""
    size = tensor.data_type.itemsize
    for start in range(0, tensor.numel, BLOCK):
        stop = min(start + BLOCK, tensor.numel)
        values = rule.elements(tensor.fill.seed, tensor.numel, start, stop)
        if tensor.dtype == "bfloat16":
            values = values.astype(np.float32)
        if values.astype(tensor.data_type.numpy).tobytes() != content[start * size : stop * size]:
            return ""
    return rule.line(tensor.fill.seed, offset, tensor)

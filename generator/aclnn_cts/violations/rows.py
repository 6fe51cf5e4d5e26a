# SPDX-License-Identifier: Apache-2.0
"""Rows of error tables as YAML has them, with the table of parameters that they refer to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any


def list_of(value: Any) -> list[Any]:
    """Return a value if it is a list, else an empty list; models report what is malformed."""
    return value if isinstance(value, list) else []


@dataclass(frozen=True)
class Row:
    """A row.

    Attributes:
        names: The parameters that it names.
        stated: What it states, by key.
        parameters: The rows of the parameter table, by name.
        products: The support by product.
    """

    names: list[str]
    stated: Mapping[str, Any]
    parameters: Mapping[str, Mapping[str, Any]]
    products: Any

    @cached_property
    def tensors(self) -> dict[str, Mapping[str, Any]]:
        return {name: row for name, row in self.parameters.items() if "tensor" in row}

    def rank(self, name: str) -> tuple[int, int]:
        """Return the least and the greatest rank of a tensor."""
        rank = self.tensors.get(name, {}).get("rank")
        if isinstance(rank, list) and len(rank) == 2 and all(bound in range(9) for bound in rank):
            return rank[0], rank[1]
        return 0, 8

    def formats(self, name: str) -> list[str]:
        return list(map(str, list_of(self.tensors.get(name, {}).get("formats", ["ND"]))))

    def source(self, name: str, aspect: str) -> str:
        """Return the parameter that another one's data type or shape refers to."""
        source = self.parameters.get(name, {}).get(aspect)
        if isinstance(source, str):
            return f"of {source.removesuffix(f'.{aspect}')}"
        return "that the parameter table gives"

    def with_column(self, column: str) -> list[str]:
        """Return the parameters whose rows state something, but attributes that are data types."""
        return [
            name
            for name, row in self.parameters.items()
            if row.get(column) is not None and row.get("attribute") != "dtype"
        ]

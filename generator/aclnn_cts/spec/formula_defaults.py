# SPDX-License-Identifier: Apache-2.0
"""Parts of a spec that its formula determines, added where the spec does not state them.

What a page promises is in the formula; from it follow the scenes, the data that a test of it needs,
and what no page forbids a device.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import Any

from aclnn_cts.spec.expression import (
    EXACT,
    MOVEMENTS,
    TESTS,
    WRITTEN,
    Expression,
    ExpressionError,
    comparisons_in,
    constant_of,
    name_of,
    names_in,
    parse_formula,
    plain_text,
)
from aclnn_cts.violations.rows import list_of

PLACE = "function, formula"
"""The place of a value clause that states none."""

_ALONG_AN_AXIS = frozenset(("sum", "reduce", *MOVEMENTS))
_EXACT = frozenset((*EXACT, *TESTS, "truncated"))
_MARKS = frozenset(("host", "narrowed", "unstored", "equal_forms", "readings"))
_DIVIDING = frozenset(
    name for name, term in WRITTEN.items() if any(isinstance(n, ast.Div) for n in ast.walk(term))
)
_TURNS = frozenset(("sin", "cos", "tan"))
_RATIONAL = frozenset(("one_minus_square",))
_SEVERAL = frozenset(WRITTEN) - {"expm1"}
_REAL = ("double", "float", "scalar")
_FILLS = ("uniform", "special", "exact", "subnormal", "large")
_GRADIENT_FILLS = ("uniform", "normal", "special", "exact", "large")


class FormulaDefaults:
    """What follows from the formula of a spec's data, which may be malformed elsewhere."""

    def __init__(self, data: Mapping[Any, Any]) -> None:
        self._rows = [row for row in list_of(data.get("parameters")) if isinstance(row, dict)]
        self._formula: dict[str, Expression] = {}
        written = data.get("formula")
        try:
            for name, text in (written if isinstance(written, dict) else {}).items():
                self._formula[str(name)] = parse_formula(str(text))
        except ExpressionError:
            self._formula = {}  # the model reports it

    def __bool__(self) -> bool:
        """Whether there is a formula."""
        return bool(self._formula)

    @cached_property
    def _nodes(self) -> list[ast.expr]:
        """The parts of all formulas whose value the inputs or attributes decide."""
        every = (node for term in self._formula.values() for node in ast.walk(term.tree))
        return [n for n in every if isinstance(n, ast.expr) and constant_of(n) is None]

    @cached_property
    def _functions(self) -> list[str]:
        return [name_of(node) for node in self._nodes if isinstance(node, ast.Call)]

    @property
    def is_elementwise(self) -> bool:
        """Whether elements of outputs depend on the elements of inputs at the same place alone."""
        return bool(self._formula) and _ALONG_AN_AXIS.isdisjoint(self._functions)

    def _tensors(self, *directions: str) -> Iterator[dict[Any, Any]]:
        return (row for row in self._rows if row.get("tensor") in directions)

    def with_thresholds(self, row: Any) -> Any:
        """Return a parameter's row with all numbers that the formula compares an input with."""
        if not isinstance(row, dict) or row.get("tensor") not in ("input", "inout"):
            return row
        thresholds = self._thresholds(row)
        return row | {"thresholds": thresholds} if thresholds else row

    def _thresholds(self, row: Mapping[Any, Any]) -> list[Any]:
        written = list_of(row.get("thresholds"))
        written_texts = {_plain(text) for text in written}
        scalars = {row.get("name") for row in self._rows if "attribute" in row}
        thresholds = []
        for expression in self._formula.values():
            for one, other in comparisons_in(expression):
                if plain_text(one) == _as_input(row) and names_in(other) <= scalars:
                    thresholds.append(plain_text(other))
        return [*written, *dict.fromkeys(text for text in thresholds if text not in written_texts)]

    def fill(self) -> dict[str, list[str]]:
        """Return the kinds of data of each floating input, those of gradients last."""
        fills = {}
        rows = self._tensors("input", "inout")
        for row in sorted(rows, key=_is_gradient):
            name = str(row.get("name"))
            if "float32" not in list_of(row.get("dtypes", ["float32"])):
                continue
            around = ["around-thresholds"] if self._thresholds(row) else []
            is_gradient = _is_gradient(row)
            fills[name] = [*_GRADIENT_FILLS] if is_gradient else ["wide", *around, *_FILLS]
        return fills

    def texts(self) -> str:
        """Return the formulas of the outputs in words."""
        outputs = {_as_output(row) for row in self._tensors("output", "inout")}
        results = [
            f"{name} is {term.text}" for name, term in self._formula.items() if name in outputs
        ]
        local = [f"{n} = {term.text}" for n, term in self._formula.items() if n not in outputs]
        return "; ".join(results) + (f", with {', '.join(local)}" if local else "")

    def precision(self) -> list[dict[str, Any]]:
        """Return what a correct device may do with each output."""
        return [
            {
                "output": row["name"],
                "allowances": self._allowances(row),
                "why": "The operations of the formula.",
            }
            for row in self._tensors("output", "inout")
            if "name" in row
        ]

    def _allowances(self, output: Mapping[Any, Any]) -> list[str]:
        binary = [node for node in self._nodes if isinstance(node, ast.BinOp)]
        functions = {name for name in self._functions if name not in _EXACT | _MARKS}
        reads_scalars = self._reads_scalars()
        computes = bool(binary or functions or reads_scalars)
        divides = any(isinstance(node.op, ast.Div) for node in binary) or functions & _DIVIDING
        several = len(self._formula) > 1 or any(map(self._takes_results, self._nodes))
        applies: dict[str, object] = {
            "float32-or-wider": computes,
            "halves-either-way": computes,
            "functions-within-two-ulps": functions - _RATIONAL,
            "angles-reduced": functions & _TURNS,
            "division-within-one-ulp": divides,
            "division-by-reciprocal": divides,
            "intermediates-in-own-type": several or functions & _SEVERAL,
            "scalars-in-own-type": reads_scalars,
            "converted-afterwards": output.get("tensor") == "output" and "dtypes" in output,
            "readings-that-differ": "readings" in self._functions,
            "subnormals-flushed": True,
        }
        return [name for name, holds in applies.items() if holds]

    def _reads_scalars(self) -> bool:
        scalars = {row.get("name") for row in self._rows if row.get("attribute") in _REAL}
        names = (expression.names for expression in self._formula.values())
        return not scalars.isdisjoint(chain.from_iterable(names))

    def _takes_results(self, node: ast.expr) -> bool:
        """Whether a part of the formula computes with what another one computes."""
        inner = (part for part in ast.walk(node) if part is not node and part in self._nodes)
        return self._computes(node) and any(map(self._computes, inner))

    @staticmethod
    def _computes(node: ast.AST) -> bool:
        is_call = isinstance(node, ast.Call) and name_of(node) not in _EXACT | _MARKS
        return isinstance(node, ast.BinOp) or is_call


def _is_gradient(row: Mapping[Any, Any]) -> bool:
    return str(row.get("name")).lower().startswith("grad")


def _as_input(row: Mapping[Any, Any]) -> Any:
    return row["stands_for"][0] if "stands_for" in row else row.get("name")


def _as_output(row: Mapping[Any, Any]) -> Any:
    return row["stands_for"][1] if "stands_for" in row else row.get("name")


def _plain(threshold: Any) -> str:
    """Return a threshold as the formula's comparison is shown."""
    try:
        return plain_text(parse_formula(str(threshold)).tree)
    except ExpressionError:
        return str(threshold)

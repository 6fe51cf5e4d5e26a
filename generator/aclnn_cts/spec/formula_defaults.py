# SPDX-License-Identifier: Apache-2.0
"""Parts of a spec that its formula determines, added where the spec does not state them.

What a page promises is in the formula; from it follow the scenes, the data that a test of it needs,
and what no page forbids a device.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import Any

from aclnn_cts.spec.expression import (
    ARRANGEMENTS,
    BITS,
    COMPOSITES,
    EXACT,
    MOVEMENTS,
    REDUCTIONS,
    REMAINDERS,
    ROUNDING,
    SOURCES,
    TESTS,
    TRUTHS,
    WRITTEN,
    Expression,
    ExpressionError,
    arrangement_of,
    comparisons_in,
    constant_of,
    is_condition,
    is_reduction,
    is_whole_quotient,
    name_of,
    names_in,
    names_outside_reductions,
    parse_formula,
    places_in,
    plain_text,
    reductions_in,
    uses_bits,
)
from aclnn_cts.violations.rows import list_of

PLACE = "function, formula"
"""The place of a value clause that states none."""

_ALONG_AN_AXIS = frozenset(("reduce", *REDUCTIONS, *MOVEMENTS, *ARRANGEMENTS))
_EXTREMES = frozenset(("amax", "amin"))
_EXACT = frozenset((*EXACT, *TESTS, *TRUTHS, *_EXTREMES, "truncated"))
_MARKS = frozenset(("host", "narrowed", "unstored", "equal_forms", "readings"))
_DIVIDING = frozenset(
    name for name, term in WRITTEN.items() if any(isinstance(n, ast.Div) for n in ast.walk(term))
) | {"mean", "deviations"}
_TURNS = frozenset(("sin", "cos", "tan"))
_RATIONAL = frozenset(
    name
    for name, term in WRITTEN.items()
    if all(name_of(n) in EXACT for n in ast.walk(term) if isinstance(n, ast.Call))
)
_SEVERAL = (frozenset(WRITTEN) | {"deviations", "logsumexp", "power"}) - {"expm1"}
_REAL = ("double", "float", "scalar", "scalars")
_FILLS = ("uniform", "special", "exact", "subnormal", "large")
_BITS_FILLS = ("ties", "whole-range", "uniform")
_MASK_FILLS = ("labels",)
_PLACE_FILLS = ("places", "places-ends")
_WRITTEN_FILLS = ("places-once",)
_COPIED_FILLS = ("whole-range", "uniform", "special", "subnormal")
_ROW_FILLS = ("uniform", "normal", "exact")
_SEVERAL_AXES = ([1], [0], [-1], [-2], [0, 1], [1, -3], [0, 1, 2], [-1, 0], [7, 3, 1])
_ONE_AXIS = (-2, -1, 0, 1, 2, -3, 5, -5, 7, -8)
_GRADIENT_FILLS = ("uniform", "normal", "special", "exact", "large")


class FormulaDefaults:
    """What follows from the formula of a spec's data, which may be malformed elsewhere."""

    def __init__(self, data: Mapping[Any, Any]) -> None:
        self._rows = [row for row in list_of(data.get("parameters")) if isinstance(row, dict)]
        derived = data.get("derived")
        self._derived: Mapping[Any, Any] = derived if isinstance(derived, dict) else {}
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

    @cached_property
    def arranged(self) -> str:
        """The output that is an arrangement of an input's elements; empty if there is none."""
        outputs = (name for name, term in self._formula.items() if arrangement_of(term))
        return next(outputs, "")

    @cached_property
    def places(self) -> str:
        """The input of places among another one's elements; empty if there is none."""
        return places_in(arrangement_of(self._formula[self.arranged])) if self.arranged else ""

    @property
    def is_reduced(self) -> bool:
        """Whether elements of outputs depend on all elements of inputs along some axes."""
        elements = {_as_input(row) for row in self._tensors("input", "inout")}
        reads = map(names_outside_reductions, self._formula.values())
        return not self.is_elementwise and all(map(elements.isdisjoint, reads))

    @property
    def traits(self) -> list[str]:
        """The traits that follow from the functions of the formula."""
        if self.arranged:
            return ["indexed"] if self.places else []
        if self.is_reduced:
            kinds = {str(row.get("attribute")) for row in self._axes}
            applies = {
                "reduced": True,
                "reduced_axes": "ints" in kinds,
                "reduced_axis": bool(kinds) and "ints" not in kinds,
                "extreme": not _EXTREMES.isdisjoint(self._functions),
                "multiplied": "prod" in self._functions,
                "moments": "deviations" in self._functions,
                "truth_of_rows": self._is_condition,
            }
            return [trait for trait, holds in applies.items() if holds]
        shapes = [row.get("shape") for row in self._tensors("input")]
        rules = [{*shape} for shape in shapes if isinstance(shape, dict)]
        typed = [row for row in self._rows if "dtypes" in row and row.get("tensor") != "output"]
        applies = {
            "elementwise": True,
            "mutual_broadcast": any("broadcasts_with" in rule for rule in rules),
            "stretched": self._is_exact and any("broadcasts_to" in rule for rule in rules),
            "promotion": self._is_exact and len(typed) > 1,
            "condition": self._is_condition,
            "of_bits": self._is_of_bits,
            "whole_quotient": self._divides,
        }
        return [trait for trait, holds in applies.items() if holds]

    @cached_property
    def _is_condition(self) -> bool:
        return bool(self) and is_condition([*self._formula.values()][-1].tree)

    @cached_property
    def _is_of_bits(self) -> bool:
        return any(uses_bits(term.tree) for term in self._formula.values())

    @property
    def _is_exact(self) -> bool:
        """Whether elements are truths or bits, which no device rounds."""
        return self._is_condition or self._is_of_bits

    @property
    def _axes(self) -> list[dict[Any, Any]]:
        """The attribute that names the axes along which elements are reduced, if any."""
        terms = self._formula.values()
        names = {each.axis for term in terms for each in reductions_in(term).values()}
        derived = self._derived
        texts = " ".join(str(derived.get(name, name)) for name in names)
        words = set(re.findall(r"\w+", texts))
        kinds = ("ints", "int64")
        return [
            row for row in self._rows if row.get("attribute") in kinds and row.get("name") in words
        ]

    def axis_levels(self) -> dict[str, list[Any]]:
        """Return the values of attributes that name axes, and of those that are true or false."""
        bools = (row for row in self._rows if row.get("attribute") == "bool")
        levels: dict[str, list[Any]] = {str(row.get("name")): [False, True] for row in bools}
        # the page says what no axes mean
        none: list[list[int]] = (
            [[]] if any("axes_from" in str(text) for text in self._derived.values()) else []
        )
        for row in self._axes:
            is_array = row.get("attribute") == "ints"
            none_at_all = [None] if "absent" in row else []
            levels[str(row.get("name"))] = (
                [*_SEVERAL_AXES, *none, *none_at_all] if is_array else [*_ONE_AXIS]
            )
        return levels

    def has_elements(self) -> str:
        """Return the condition that no result is that of no elements, if such are promised."""
        inputs, outputs = [*self._tensors("input")], [*self._tensors("output")]
        if not inputs or not outputs or not inputs[0].get("empty"):
            return ""
        return f"numel({inputs[0].get('name')}) > 0 or numel({outputs[0].get('name')}) == 0"

    def _tensors(self, *directions: str) -> Iterator[dict[Any, Any]]:
        return (row for row in self._rows if row.get("tensor") in directions)

    def with_thresholds(self, row: Any) -> Any:
        """Return a parameter's row with all numbers that the formula compares an input with.

        Or with the shape that follows from the formula of an output.
        """
        if isinstance(row, dict) and self.arranged and row.get("name") == self.arranged:
            return {"shape": {"arranged": self._formula[self.arranged].text}} | row
        if not isinstance(row, dict) or row.get("tensor") not in ("input", "inout"):
            return row
        thresholds = self._thresholds(row)
        return row | {"thresholds": thresholds} if thresholds else row

    def _thresholds(self, row: Mapping[Any, Any]) -> list[Any]:
        written = list_of(row.get("thresholds"))
        if self.is_reduced:
            return written  # rows have data of their own
        written_texts = {_plain(text) for text in written}
        scalars = {row.get("name") for row in self._rows if "attribute" in row}
        thresholds = []
        for expression in self._formula.values():
            for one, other in comparisons_in(expression):
                if plain_text(one) == _as_input(row) and names_in(other) <= scalars:
                    thresholds.append(plain_text(other))
        return [*written, *dict.fromkeys(text for text in thresholds if text not in written_texts)]

    def fill(self) -> dict[str, list[str]]:
        """Return the kinds of data of inputs, those of gradients last."""
        fills = {}
        rows = self._tensors("input", "inout")
        for row in sorted(rows, key=_is_gradient):
            name = str(row.get("name"))
            if self.is_reduced:
                fills[name] = self._row_fills()
                continue
            if self._is_of_bits or self.arranged:
                fills[name] = [*(self._copied_fills(row) if self.arranged else _BITS_FILLS)]
                continue
            if list_of(row.get("dtypes")) == ["bool"]:
                fills[name] = [*_MASK_FILLS]
            if "float32" not in list_of(row.get("dtypes", ["float32"])):
                continue
            if self._is_condition:
                fills[name] = self._condition_fills(row)
                continue
            around = ["around-thresholds"] if self._thresholds(row) else []
            is_gradient = _is_gradient(row)
            # a factor of 0 would leave nothing of all elements
            usual = "from-one" if is_single(row.get("shape")) else "wide"
            others: tuple[str, ...] = _FILLS
            if self._divides:
                is_divided = _as_input(row) in self._dividends
                # small and special integers have the quotient or the remainder 0
                keeps = any(self._calls(node, REMAINDERS) for node in self._nodes)
                usual = "tens" if is_divided or keeps else "uniform"
                others = ("large",) if is_divided else ("uniform", "tens")
            ordinary = dict.fromkeys((usual, *around, *others))
            fills[name] = [*(_GRADIENT_FILLS if is_gradient else ordinary)]
        return fills

    @cached_property
    def _divides(self) -> bool:
        """Whether the formula divides without a fraction."""
        return any(is_whole_quotient(n) or self._calls(n, REMAINDERS) for n in self._nodes)

    @property
    def _dividends(self) -> set[str]:
        """What is divided without a fraction."""
        quotients = (node.args[0] for node in self._nodes if is_whole_quotient(node))
        divided = [quotient.left for quotient in quotients if isinstance(quotient, ast.BinOp)]
        calls = (node for node in self._nodes if isinstance(node, ast.Call))
        divided += [node.args[0] for node in calls if name_of(node) in REMAINDERS]
        return set().union(*map(names_in, divided))

    def _copied_fills(self, row: Mapping[Any, Any]) -> tuple[str, ...]:
        """Return kinds of data of an input that is arranged, or of places."""
        if row.get("name") != self.places:
            return _COPIED_FILLS
        # which of several slices a place has in the end is open
        is_written = any(function in SOURCES for function in self._functions)
        return _WRITTEN_FILLS if is_written else _PLACE_FILLS

    def _row_fills(self) -> list[str]:
        """Return kinds of data for which many elements are reduced to different ones."""
        if self._is_condition:
            return ["holes" if "all" in self._functions else "lone"]
        if "prod" in self._functions:
            return ["near-one"]
        if not {"deviations", "logsumexp"}.isdisjoint(self._functions):
            return ["spreads", *_ROW_FILLS]
        is_mean = any(isinstance(getattr(node, "op", None), ast.Div) for node in self._nodes)
        is_mean |= "mean" in self._functions
        # means of many elements are alike, and so are extremes
        is_alike = is_mean or not _EXTREMES.isdisjoint(self._functions)
        return ["levels" if is_alike else "wide", *_ROW_FILLS]

    def _condition_fills(self, row: Mapping[Any, Any]) -> list[str]:
        """Return kinds of data for which a condition holds for some elements alone."""
        if not any(isinstance(node, ast.Compare) for node in self._nodes):
            return ["specials"]
        ordinary = ["pairs"] if self._thresholds(row) else ["ties", "pairs"]
        return [*ordinary, "special-pairs"]

    def never_same(self) -> list[str]:
        """Return the inputs of which equal elements give nothing, or all the same."""
        rows = {_as_input(row): str(row["name"]) for row in self._tensors("input", "inout")}
        if self.places:
            return [*rows.values()]  # an index does not hold elements
        compared = set[str]()
        for node in self._nodes:
            is_compared = self._is_condition and isinstance(node, ast.Compare)
            is_quotient = is_whole_quotient(node) or self._calls(node, REMAINDERS)
            if is_compared or is_quotient or isinstance(getattr(node, "op", None), ast.BitXor):
                inputs = rows.keys() & names_in(node)
                compared |= inputs if len(inputs) > 1 else set()
        return [name for read_name, name in rows.items() if read_name in compared]

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
                "why": "Elements are copies."
                if self.arranged
                else "The operations of the formula.",
            }
            for row in self._tensors("output", "inout")
            if "name" in row
        ]

    def _allowances(self, output: Mapping[Any, Any]) -> list[str]:
        if self.arranged:
            return []
        binary = [
            node
            for node in self._nodes
            if isinstance(node, ast.BinOp) and not isinstance(node.op, BITS)
        ]
        functions = {name for name in self._functions if name not in _EXACT | _MARKS}
        reads_scalars = self._reads_scalars()
        computes = bool(binary or functions or reads_scalars)
        divides = any(isinstance(node.op, ast.Div) for node in binary) or functions & _DIVIDING
        outputs = [*self._tensors("output", "inout")]
        several = len(self._formula) > len(outputs) or any(map(self._takes_results, self._nodes))
        applies: dict[str, object] = {
            "float32-or-wider": computes,
            "sums-in-any-order": functions & {"sum", *COMPOSITES},
            "moments-by-updates": "deviations" in functions,
            "halves-either-way": computes,
            "functions-within-two-ulps": functions - _RATIONAL,
            "angles-reduced": functions & _TURNS,
            "division-within-one-ulp": divides,
            "division-by-reciprocal": divides,
            "intermediates-in-own-type": several or functions & _SEVERAL,
            "scalars-in-own-type": reads_scalars,
            "converted-afterwards": output.get("tensor") == "output"
            and ("dtypes" in output or "dtypes_by" in output)
            and not self._is_exact,
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
        inner = [part for part in ast.walk(node) if part is not node and part in self._nodes]
        if isinstance(node, ast.BinOp):
            # a sum is divided by the kernel that adds it up
            inner = [part for part in inner if not is_reduction(part)]
        elif is_reduction(node):
            # nor are its terms stored, unless another kernel has made them
            inner = [part for part in inner if isinstance(part, ast.Call)]
        takes = self._computes(node) or self._calls(node, ROUNDING)
        return takes and any(map(self._computes, inner))

    @staticmethod
    def _calls(node: ast.AST, functions: Collection[str]) -> bool:
        return isinstance(node, ast.Call) and name_of(node) in functions

    @staticmethod
    def _computes(node: ast.AST) -> bool:
        if isinstance(node, ast.Call):
            return name_of(node) not in _EXACT | _MARKS
        return isinstance(node, ast.BinOp) and not isinstance(node.op, BITS)


def is_single(shape: Any) -> bool:
    """Whether a tensor has one element, whatever its rank."""
    shape = shape if isinstance(shape, dict) else {}
    choices = [each for each in list_of(shape.get("one_of")) if isinstance(each, dict)]
    return bool(shape.get("one_element")) and [each.get("dims") for each in choices] == [[1]]


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

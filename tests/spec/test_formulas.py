# SPDX-License-Identifier: Apache-2.0
"""Mistakes in the formulas of specs are named with their place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.spec.minimal import MINIMAL, load_operator

from aclnn_cts.errors import WrongInputError
from aclnn_cts.spec.expression import ExpressionError, is_condition, parse_formula
from aclnn_cts.spec.loading import SpecSet

_GOLDEN = next(line for line in MINIMAL.splitlines() if line.startswith("golden:"))


def _message(formula: str, folder: Path, specs: SpecSet) -> str:
    path = folder / "aclnnThing.yaml"
    text = MINIMAL.replace(_GOLDEN, f"formula:\n{formula}")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WrongInputError) as refused:
        load_operator(path, specs.products, specs.traits)
    return str(refused.value)


def test_a_formula_replaces_a_module(tmp_path: Path, specs: SpecSet) -> None:
    """The name of kernel and oracle follows from the operator's then."""
    path = tmp_path / "aclnnThing.yaml"
    path.write_text(MINIMAL.replace(_GOLDEN, "formula: {out: x + eps}"), encoding="utf-8")
    spec = load_operator(path, specs.products, specs.traits)
    assert (spec.golden, spec.kernel) == ("", "thing")
    assert [name for name, _ in spec.formula_source.terms] == ["out"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("formula", "line", "said"),
    [
        ("  out: x + y", 1, "unknown name 'y'"),
        ("  out: z + 1\n  z: x", 1, "unknown name 'z'"),
        ("  z: x\n  out: x", 1, "no later formula reads it"),
        ("  x: eps\n  out: x", 1, "'x' is a parameter"),
        ("  z: x\n  y: z", 0, "no formula of out"),
        ("  out: 1 + reduce(x, eps)", 1, "`reduce` takes the whole formula"),
        ("  out: reduce(x, eps) + 1", 1, "`reduce` takes the whole formula"),
        ("  out: reduce(x, 1)", 1, "`reduce` takes the whole formula"),
        ("  out: x ** 5", 1, "exponents of formulas are 2, 3 and 4"),
        ("  out: numel(x)", 1, "known functions are"),
        ("  out: x * host(x)", 1, "take terms of attributes alone"),
        ("  out: x * narrowed(x)", 1, "take terms of attributes alone"),
        ("  out: x.real", 1, "not part of the expression language"),
        ("  out: x\ngolden: thing", 2, "exclude one another"),
        ("  z: sum(x, eps)\n  out: x - sum(z, eps)", 2, "is a sum of sums"),
        ("  z: sum(x, eps)\n  y: z * x\n  out: x - sum(y, eps)", 3, "is a sum of sums"),
        ("  out: x - sum(x, 1)", 0, "the same axis: an attribute or a derived value"),
        ("  z: largest(x, 0)\n  out: x - z", 0, "the same axis: an attribute or a derived value"),
        ("  out: x - sum(sum(x, eps), eps)", 1, "is a sum of sums"),
        ("  out: x - sum(2, eps)", 1, "reduces no input"),
        ("  out: 1 + half(x, eps, 0)", 1, "need a formula of their own"),
        ("  out: 1 + flip(x, eps)", 1, "take the whole formula of the only output"),
        ("  z: flip(x, eps)\n  out: z", 1, "take the whole formula of the only output"),
        ("  out: flip(x, x)", 1, "unknown argument of flip 'x'"),
        ("  out: flip(eps, eps)", 1, "unknown argument of flip 'eps'"),
        ("  z: largest(half(x, eps, 0), eps)\n  out: x - z", 1, "need a formula of their own"),
        ("  eps: channels(x, x)\n  out: x", 1, "'eps' is a parameter"),
        ("  out: half(x, eps, 0)", 1, "an output is computed"),
        ("  z: half(x, eps, 2)\n  out: z", 1, "unknown argument of half '2'"),
        ("  z: half(x + 1, eps, 0)\n  out: z", 1, "unknown argument of half 'x + 1'"),
        ("  z: channels(x, eps)\n  out: x * z", 1, "unknown argument of channels 'eps'"),
        ("  z: bits(x, x)\n  out: x * z", 1, "`bits` needs an input of uint8, which x is not"),
        ("  z: half(x, eps, 0)\n  out: z + x", 1, "must name the halves of x, not the whole"),
        ("  z: half(x, eps, 0)\n  y: sum(z, eps)\n  out: z - y", 1, "exclude sums along an axis"),
        ("  z: sum(x, eps)\n  out: reduce(x - z, eps)", 2, "exclude sums along an axis"),
        ("  z: largest(x, eps)\n  out: reduce(x - z, eps)", 2, "exclude sums along an axis"),
        ("  out: x - sum(eps, eps)", 1, "sum(eps, eps) adds up no elements"),
    ],
)
def test_mistakes(formula: str, line: int, said: str, tmp_path: Path, specs: SpecSet) -> None:
    """The line is that of the name."""
    message = _message(formula, tmp_path, specs)
    at = MINIMAL.splitlines().index(_GOLDEN) + 1 + line
    place = f"{tmp_path}/aclnnThing.yaml:{at}: "
    assert any(each.startswith(place) and said in each for each in message.splitlines()), message


@pytest.mark.parametrize(
    "formula",
    [
        "  out: x - sum(x, eps) * sum(x, other)",
        "  z: sum(x, eps)\n  out: x - z - sum(x, other)",
        "  z: largest(x, other)\n  out: x - sum(x, eps) * z",
    ],
)
def test_all_sums_take_one_axis(formula: str, tmp_path: Path, specs: SpecSet) -> None:
    """Elements are folded around one axis for a whole formula, the largest ones' included."""
    eps = "  - {name: eps, attribute: double}\n"
    two = MINIMAL.replace(eps, f"{eps}  - {{name: other, attribute: int64}}\n")
    two = two.replace("{eps: [0.5]}", "{eps: [0.5], other: [0]}")
    path = tmp_path / "aclnnThing.yaml"
    path.write_text(two.replace(_GOLDEN, f"formula:\n{formula}"), encoding="utf-8")
    with pytest.raises(WrongInputError, match="take the same axis"):
        load_operator(path, specs.products, specs.traits)
    one = formula.replace("other", "eps")
    path.write_text(two.replace(_GOLDEN, f"formula:\n{one}"), encoding="utf-8")
    assert load_operator(path, specs.products, specs.traits).formula


def test_a_movement_may_bear_the_name_of_what_it_moves(tmp_path: Path, specs: SpecSet) -> None:
    """A spec need not invent a second name for the same elements elsewhere."""
    path = tmp_path / "aclnnThing.yaml"
    text = MINIMAL.replace(_GOLDEN, "formula:\n  x: channels(x, x)\n  out: x + 1")
    path.write_text(text, encoding="utf-8")
    spec = load_operator(path, specs.products, specs.traits)
    assert [*spec.formula] == ["x", "out"]


def test_halves_are_read_and_not_the_whole(tmp_path: Path, specs: SpecSet) -> None:
    """A clause about the whole input would be about other elements than the output has."""
    formula = "formula:\n  y: half(x, eps, 0)\n  z: half(x, eps, 1)\n  out: y * z"
    path = tmp_path / "aclnnThing.yaml"
    text = MINIMAL.replace(_GOLDEN, formula)
    path.write_text(text.replace("when: x > eps", "when: eps > 0"), encoding="utf-8")
    assert [*load_operator(path, specs.products, specs.traits).formula] == ["y", "z", "out"]
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WrongInputError, match="must name the halves of x"):
        load_operator(path, specs.products, specs.traits)


@pytest.mark.parametrize(
    ("compared", "stated", "thresholds"),
    [
        ("x > 3", "", ["3"]),
        ("-3 <= x <= 3", "", ["-3", "3"]),
        ("x > 1 - eps", "", ["1 - eps"]),
        ("x > 1 - eps", '"1-eps"', ["1-eps"]),
        ("x > 3", "3.0, 7", ["3.0", "7"]),
        ("x > 3", "7", ["7", "3"]),
        ("x > 2 * x", "", []),
        ("abs(x) > 3", "", []),
    ],
)
def test_data_surround_what_an_input_is_compared_with(
    compared: str, stated: str, thresholds: list[str], tmp_path: Path, specs: SpecSet
) -> None:
    """Beside what the row states, however that is written; terms of inputs have no threshold."""
    path = tmp_path / "aclnnThing.yaml"
    text = MINIMAL.replace(_GOLDEN, f"formula: {{out: x if {compared} else 0}}")
    text = text.replace("rank: [0, 8]}", f"rank: [0, 8], thresholds: [{stated}]}}", 1)
    path.write_text(text, encoding="utf-8")
    (x, *_) = load_operator(path, specs.products, specs.traits).inputs
    assert [each.text for each in x.thresholds] == thresholds


@pytest.mark.parametrize(
    "text",
    [
        *("exp(x, x)", "equal_forms(x)", "open(x)", "x = 1"),
        *("x // 2", "x % 2", "x[0]", "x if mode == 'none' else 0"),
        *("(x > 1) + 1", "exp(x < 1)", "x if x + 1 else 0", "~(x > 1)", "(x > 1) & (x < 2)"),
        *("x if (1 if x > 0 else 2) else 0", "x < (x > 1)", "(x > 1) == x + 1", "x if pi else 0"),
        *("sum(x)", "sum(x, a, b)", "sum(sum(x, a) + 1, a)", "x * sum(exp(x - sum(x, a)), a)"),
        *("x + 1 / 0", "log(-1) * x", "exp(1000) + x", "sqrt(-1)"),
    ],
)
def test_what_is_no_formula(text: str) -> None:
    """Only what has a meaning is parsed: numbers and conditions where they belong."""
    with pytest.raises(ExpressionError):
        parse_formula(text)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        *(
            ("x > 1", True),
            ("not x == y", True),
            ("signbit(x)", True),
            ("(x > 1) != (y > 1)", True),
        ),
        *(("x & ~y", False), ("x << 2 | y ^ 1", False), ("x if x > 1 else y", False)),
    ],
)
def test_a_formula_is_a_number_or_a_condition(text: str, condition: object) -> None:
    """Bits are numbers."""
    assert is_condition(parse_formula(text).tree) is condition


def test_only_integers_have_bits(tmp_path: Path, specs: SpecSet) -> None:
    path = tmp_path / "aclnnThing.yaml"
    path.write_text(MINIMAL.replace(_GOLDEN, "formula: {out: x & 1}"), encoding="utf-8")
    with pytest.raises(WrongInputError, match="the bits of x, which may be floating"):
        load_operator(path, specs.products, specs.traits)

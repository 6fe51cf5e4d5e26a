# SPDX-License-Identifier: Apache-2.0
"""The C++ that follows from formulas: it computes what they say, and no more."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.processes import ended
from tests.spec.minimal import MINIMAL, load_operator

from aclnn_cts.emit.kernels import USUAL, Computation, is_of_elements, kernel_text
from aclnn_cts.emit.programs import header_texts
from aclnn_cts.emit.simulated import simulated_text
from aclnn_cts.files import write_text
from aclnn_cts.run.build import find_compiler
from aclnn_cts.spec.expression import parse_formula
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.suite import find_suite

_TENSOR = "  - {name: x, tensor: input, dtypes: [float32], rank: [0, 8]}\n"
_EPS = "  - {name: eps, attribute: double}\n"
_REAL = "using Real = std::conditional_t<std::is_integral_v<Number>, double, Number>;"


@pytest.fixture(scope="module")
def thing(tmp_path_factory: pytest.TempPathFactory, specs: SpecSet) -> OperatorSpec:
    """Return an operator of floats and integers: x, y and z, and attributes alpha and reduction."""
    tensor = _TENSOR.replace("[float32]", "[float32, int32]")
    inputs = "".join(tensor.replace("name: x", f"name: {name}") for name in "xyz")
    attributes = "  - {name: alpha, attribute: double}\n  - {name: reduction, attribute: int64}\n"
    text = MINIMAL.replace(_TENSOR, inputs).replace(_EPS, attributes)
    text = text.replace("x > eps", "x > alpha")
    text = text.replace("{eps: [0.5]}", "{alpha: [0.5], reduction: [0]}")
    path = tmp_path_factory.mktemp("spec") / "aclnnThing.yaml"
    path.write_text(text, encoding="utf-8")
    return load_operator(path, specs.products, specs.traits)


def kernel(
    thing: OperatorSpec, formula: Mapping[str, str], computation: Computation = USUAL
) -> list[str]:
    """Return the lines of the kernel of a formula."""
    terms = {name: parse_formula(text) for name, text in formula.items()}
    changed = thing.model_copy(update={"formula": terms})
    return kernel_text(changed, "Thing", computation).splitlines()


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("x - (y - z)", "x - (y - z)"),
        ("x - y - z", "x - y - z"),
        ("x + y * z", "x + y * z"),
        ("(x + y) * z", "(x + y) * z"),
        ("x * (y * z)", "x * (y * z)"),
        ("-(x + y)", "-(x + y)"),
        ("-(-x)", "-(-x)"),
        ("x - -y", "x - -y"),
        ("(x + y) ** 2", "(x + y) * (x + y)"),
        ("x ** 3 * y", "x * x * x * y"),
        ("x * y ** 2", "x * (y * y)"),
        ("-x ** 2", "-(x * x)"),
        ("x * (y if y > 0 else z)", "x * (y > Number(0.0) ? y : z)"),
        ("(x if y > 0 else y) if x > 0 else z", "x > Number(0.0) ? (y > Number(0.0) ? x : y) : z"),
        ("x if x > 0 else y if y > 0 else z", "x > Number(0.0) ? x : y > Number(0.0) ? y : z"),
        ("x if x > y and y > z or z > x else y", "(x > y && y > z) || z > x ? x : y"),
        ("x if x > y and (y > z or z > x) else y", "x > y && (y > z || z > x) ? x : y"),
        ("x if x < y <= z else y", "x < y && y <= z ? x : y"),
        ("x if not x == y else z", "!(x == y) ? x : z"),
        ("x if isnan(y - z) else y", "std::isnan(y - z) ? x : y"),
        ("max(x, y) * z", "(x > y || std::isnan(x) ? x : y) * z"),
        ("x - with_sign(y, z)", "x - (z < 0 ? -y : y)"),
        ("abs(x - y)", "std::abs(x - y)"),
        ("x > y and not z == y", "Number(x > y && !(z == y))"),
        ("(x > y) != isnan(z)", "Number(Number(x > y) != Number(std::isnan(z)))"),
        ("x & ~(y | z)", "bits::And(x, bits::Not(bits::Or(y, z)))"),
        ("x << y", "bits::ShiftLeft(x, y)"),
    ],
)
def test_parentheses_keep_the_order_of_a_formula(
    thing: OperatorSpec, formula: str, text: str
) -> None:
    """There are none but where C++ would compute something else, and around && within ||."""
    assert kernel(thing, {"out": formula})[2:] == [f"return {text};", "}"]


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("x / (y * z)", "Real(x) / (Real(y) * Real(z))"),
        ("x / y / z", "Real(x) / Real(y) / Real(z)"),
        ("x * (y / z)", "Real(x) * (Real(y) / Real(z))"),
        ("x - 0.5", "Real(x) - Real(0.5)"),
        ("alpha * exp(x)", "Real(alpha) * std::exp(Real(x))"),
        ("x * sigmoid(-y)", "Real(x) * (Real(1.0) / (Real(1.0) + std::exp(-(-Real(y)))))"),
        ("x - erfc(y)", "Real(x) - (Real(1.0) - std::erf(Real(y)))"),
        (
            "one_minus_square(x + y) * z",
            "(Real(1.0) - (Real(x) + Real(y)) * (Real(x) + Real(y))) * Real(z)",
        ),
    ],
)
def test_integers_with_fractions_are_computed_in_double(
    thing: OperatorSpec, formula: str, text: str
) -> None:
    """They lose the fraction once, at the end; a quotient of whole numbers would at once."""
    lines = kernel(thing, {"out": formula})
    assert lines[2:] == [_REAL, f"return static_cast<Number>({text});", "}"]


def test_where_no_integers_come_out_there_are_no_doubles(specs: SpecSet) -> None:
    """The elements have the type of the output, though an input may hold integers."""
    spec = specs.operator("aclnnErfc")
    assert "int64" in spec.dtypes("self", "atlas-a2")
    assert kernel(spec, {"out": "self / 2"})[2:] == ["return self / Number(2.0);", "}"]


def test_a_fraction_anywhere_makes_each_part_a_double(thing: OperatorSpec) -> None:
    """A whole part may be read by one with fractions."""
    lines = kernel(thing, {"w": "x * y", "out": "w / 2"})
    assert lines[2:5] == [
        _REAL,
        "const Real w = Real(x) * Real(y);",
        "return static_cast<Number>(w / Real(2.0));",
    ]


def test_pi_is_a_fraction(thing: OperatorSpec) -> None:
    """It would be 3 among integers."""
    assert kernel(thing, {"out": "x * pi"})[2] == _REAL


def test_an_attribute_has_the_type_of_the_elements(thing: OperatorSpec) -> None:
    """It comes in a type of its own; parameters that nothing reads have no name."""
    assert kernel(thing, {"out": "x * alpha if alpha else y"}) == [
        "template <typename Number, typename T0, typename T1>",
        "Number Thing(Number x, Number y, Number , T0 alpha, T1 ) {",
        "return bool(alpha) ? x * Number(alpha) : y;",
        "}",
    ]


def test_what_only_a_second_form_reads_is_left_out(thing: OperatorSpec) -> None:
    """A kernel computes the first form; an unused variable would be a warning."""
    formula = {"w": "x - y", "v": "w * alpha", "u": "z + 1", "out": "u + equal_forms(x, v)"}
    assert kernel(thing, formula)[1:] == [
        "Number Thing(Number x, Number , Number z, T0 , T1 ) {",
        "const Number u = z + Number(1.0);",
        "return u + x;",
        "}",
    ]


def test_no_device_stores_constants_or_what_is_unstored(thing: OperatorSpec) -> None:
    """Nor by a name, nor as one of two that are chosen; any other named term may be stored."""
    formula = {
        "c": "2",
        "u": "unstored(x * y)",
        "v": "x - y",
        "out": "c * z + (u if z > 0 else -c) * v",
    }
    assert kernel(thing, formula, Computation(operands="Stored"))[-2] == (
        "return Stored(c * z) + Stored((z > Number(0.0) ? u : -c) * Stored(v));"
    )


def test_differences_from_constants_stay(thing: OperatorSpec) -> None:
    """Another difference of equal infinities changes none of them."""
    computation = Computation(instead={"-": "Difference"})
    assert kernel(thing, {"out": "(1 - x) * (y - 0) * (x - y)"}, computation)[-2] == (
        "return (Number(1.0) - x) * (y - Number(0.0)) * Difference(x, y);"
    )


def test_a_loss_is_not_reduced(thing: OperatorSpec) -> None:
    """The operator around the kernel does, so the kernel does not get the reduction."""
    assert kernel(thing, {"out": "reduce(x - y, reduction)"}) == [
        "template <typename Number, typename T0>",
        "Number Thing(Number x, Number y, Number , T0 ) {",
        "return x - y;",
        "}",
    ]


@pytest.mark.parametrize(
    ("computes", "formula", "text"),
    [
        ({"order": "backwards"}, "x * y * z", "z * y * x"),
        ({"order": "backwards"}, "x + y + z * x * y", "y * x * z + y + x"),
        ({"order": "backwards"}, "x ** 2 * y", "y * (x * x)"),
        ({"order": "backwards"}, "x - y", "x - y"),
        ({"order": "fused"}, "x * y + z", "Fused(x, y, z)"),
        ({"order": "fused"}, "x * y - z", "Fused(x, y, -z)"),
        ({"order": "fused"}, "z - x * y", "Fused(-x, y, z)"),
        ({"order": "fused"}, "one_minus_square(x)", "Fused(-x, x, Number(1.0))"),
        ({"second": "equal_forms"}, "equal_forms(x, y) * readings(y, z)", "y * y"),
        ({"second": "readings"}, "equal_forms(x, y) * readings(y, z)", "x * z"),
        ({"instead": {"/": "ByReciprocal"}}, "x / (y - z) * z", "ByReciprocal(x, y - z) * z"),
        ({"results": {"/": "Up<1>"}}, "x / y * z", "Up<1>(x / y) * z"),
        ({"results": {"exp": "Up<2>"}}, "x + exp(-y)", "x + Up<2>(std::exp(-y))"),
        ({"results": {"scalar": "Stored"}}, "x * alpha", "x * Stored(Number(alpha))"),
        ({"results": {"last": "Stored"}}, "x if x > 0 else y", "Stored(x > Number(0.0) ? x : y)"),
        ({"results": {"any": "A", "input": "B"}}, "x - 1", "A(B(x) - Number(1.0))"),
        ({"results": {"any": "Flushed"}}, "abs(x) * 2", "Flushed(std::abs(x) * Number(2.0))"),
        ({"operands": "Stored"}, "(x - y) * z / y", "Stored(Stored(x - y) * z) / y"),
        ({"operands": "Stored"}, "unstored(x - y + z) * x * y", "Stored((x - y + z) * x) * y"),
    ],
)
def test_a_right_device_may_compute_otherwise(
    thing: OperatorSpec, computes: dict[str, object], formula: str, text: str
) -> None:
    """Each function applies where the allowance does: not to the output, if to what is stored."""
    floats = [t.model_copy(update={"dtypes": ("float32",)}) for t in thing.parameters[:3]]
    spec = thing.model_copy(update={"parameters": (*floats, *thing.parameters[3:])})
    computation = Computation.model_validate(computes)
    lines = kernel(spec, {"out": formula}, computation)
    assert lines[2:] == [f"return {text};", "}"]


def test_in_double_each_operation_is(specs: SpecSet) -> None:
    """Elements in float32 are converted and the result rounded; integers stay exact."""
    lines = kernel(specs.operator("aclnnErfc"), {"out": "self * 2"}, Computation(in_double=True))
    assert lines[2:] == [
        "using Real = std::conditional_t<std::is_same_v<Number, float>, double, Number>;",
        "return static_cast<Number>(Real(self) * Real(2.0));",
        "}",
    ]


def test_a_kernel_leaves_the_formula_as_it_is(specs: SpecSet) -> None:
    """Golden values are evaluated from the same tree."""
    spec = specs.operator("aclnnGeluV2")
    before = {name: ast.dump(each.tree) for name, each in spec.formula.items()}
    kernel_text(spec, "GeluV2", Computation(order="backwards", second="equal_forms"))
    assert {name: ast.dump(each.tree) for name, each in spec.formula.items()} == before


def test_every_formula_of_elements_compiles(specs: SpecSet, tmp_path: Path) -> None:
    """Without a warning, also that of an operator which is by hand."""
    found = [spec for spec in specs.tested_operators if is_of_elements(spec)]
    texts = {spec.operator: simulated_text(spec) for spec in found}
    assert {"aclnnErfc", "aclnnInplaceErfc", "aclnnMseLoss", "aclnnLogitGrad"} <= texts.keys()
    (source := tmp_path / "all.cpp").write_text("\n".join(texts.values()), encoding="utf-8")
    simulator = find_suite().simulator
    for name, text in header_texts(specs).items():
        write_text(tmp_path / name, text)
    done = ended(
        [
            *(find_compiler().path, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"),
            *(f"-I{tmp_path}", f"-I{simulator}/include", f"-I{simulator}/src", str(source)),
        ]
    )
    assert done.returncode == 0, done.stderr


def test_a_kernel_by_hand_goes_before_the_formula(specs: SpecSet) -> None:
    """Whoever writes one wants it."""
    text = simulated_text(specs.operator("aclnnSilu"), by_hand=True)
    assert '#include "operators/silu.h"' in text
    assert "std::exp" not in text

# SPDX-License-Identifier: Apache-2.0
"""The language of the specs' expressions: what may be written, and that nothing else passes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclnn_cts.spec.expression import CONSTANTS, FUNCTIONS, ExpressionError, calls, parse


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("true", set()),
        ("eps >= 0 and not (eps <= x <= 1 - eps)", {"eps", "x"}),
        ("kernelSize[len(kernelSize) - 1]", {"kernelSize"}),
        ("kH if len(stride) == 0 else stride[0]", {"kH", "stride"}),
        ("(ceil_div(Ho * Wo, 16) + 1) * 32", {"Ho", "Wo"}),
        ("any_of(isnan(dy) or isinf(x))", {"dy", "x"}),
        ("align(numel(gradOutput), 128) // 8", {"gradOutput"}),
        ("min(a, b, c) + max(a, -1) % 2 / 3", {"a", "b", "c"}),
        ("eps == inf or eps == nan", {"eps"}),
        ("-lambda <= x <= lambda and not class", {"lambda", "x", "class"}),
        ("mode == 'none' or 'class' != mode", {"mode"}),
    ],
)
def test_what_the_language_has(text: str, names: set[str]) -> None:
    """Everything that the specs need is allowed, and the names that are read are known."""
    assert parse(text).names == names


@pytest.mark.parametrize(
    "attack",
    [
        "__import__('os').system('true')",
        "().__class__.__bases__[0].__subclasses__()",
        "x.real",
        "numel.__globals__",
        "(lambda: 0)()",
        "lambda x: x",
        "[x for x in y]",
        "{x: 1}",
        "(x := 1)",
        "f'{x}'",
        "'text'",
        "b'bytes'",
        "x ** 1000000000",
        "1 << 1000000",
        "x @ y",
        "~x",
        "+x",
        "x in y",
        "x is y",
        "x[1:2]",
        "x[...]",
        "await x",
        "(x, y)",
        "1j",
        "eval(x)",
        "open(x)",
        "numel(x)(y)",
        "max(*x)",
        "max(a, key=b)",
        "isnan()",
        "isnan(a, b)",
        "min()",
        "ceil_div(1, 2, 3)",
        "x; y",
        "x = 1",
        "import os",
        "x +",
        "",
        "   ",
        "x\x00y",
    ],
)
def test_what_the_language_lacks(attack: str) -> None:
    """Whatever is not on the whitelist is refused while the spec is read."""
    with pytest.raises(ExpressionError):
        parse(attack)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("eps.hex()", "'eps.hex()': known functions are isnan, "),
        ("1 + x.y", "'x.y' is not part of the expression language; allowed are comparisons"),
        ("min()", "'min()': min takes 1 to 8 plain argument(s)"),
        ("rank(x, y)", "'rank(x, y)': rank takes 1 plain argument(s)"),
        ("x < 'a'", "only numbers, inf, nan, true and false are constants, and texts beside =="),
        ("x +", "'x +' is not an expression: "),
    ],
)
def test_the_message_names_the_part(text: str, message: str) -> None:
    """The sentence says which part of the expression is wrong."""
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 190 + "x" + ")" * 190,
        "not " * 60 + "x",
        "-" * 300 + "x",
        "x" + "+x" * 150,
        "x[" * 60 + "0" + "]" * 60,
        "abs(" * 60 + "x" + ")" * 60,
        "x" * 401,
        "(" * 5000,
    ],
)
def test_size_and_nesting_are_bounded(text: str) -> None:
    """However deep the nesting, reading ends with a sentence or a small tree, never a crash."""
    try:
        outcome = " ".join(parse(text).names)
    except ExpressionError as error:
        outcome = str(error)
    assert re.search("^x$|nested deeper|longer than|is not an expression", outcome)


@given(st.text(max_size=60))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    """No text whatever gets out of the parser in another way than by its two doors."""
    try:
        expression = parse(text)
    except ExpressionError:
        return
    assert expression.names.isdisjoint(CONSTANTS)


def test_equal_texts_are_equal_expressions() -> None:
    """Expressions compare and hash by text, so that frozen specs compare and hash."""
    assert parse("a + b") == parse("a + b")
    assert len({parse("a + b"), parse("a + b"), parse("a+b")}) == 2
    assert parse("a") != "a"


def test_calls_finds_every_call() -> None:
    """Checks of shape functions see nested calls, too."""
    expression = parse("dim(self, 1) == max(dim(weight, 0), rank(self))")
    assert set(calls(expression, "dim")) == {("self", "1"), ("weight", "0")}
    assert calls(expression, "rank") == (("self",),)
    assert calls(expression, "numel") == ()


def test_every_function_can_be_called() -> None:
    """Each function on the list is accepted with its least and greatest number of arguments."""
    for name, (least, most, _) in FUNCTIONS.items():
        for count in (least, most):
            assert parse(f"{name}({', '.join('x' * count)})").names == {"x"}

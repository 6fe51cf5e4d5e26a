# SPDX-License-Identifier: Apache-2.0
"""Names that YAML files may use for what later rooms make: kinds of data, layouts, scenes.

The rooms that make these things are held against the names here by their tests.
"""

from __future__ import annotations

FILL_KINDS = (
    "uniform",
    "normal",
    "unit-interval",
    "wide",
    "positive",
    "negative",
    "all-positive",
    "mostly-negative",
    "mostly-positive",
    "around-thresholds",
    "special",
    "special-finite",
    "special-no-nan",
    "special-mild",
    "special-corner",
    "special-corner-summable",
    "exact",
    "subnormal",
    "large",
    "offset",
    "distinct",
    "ties",
    "ones",
    "zeros",
    "negative-zeros",
    "bits",
    "bits-padding",
    "derived",
)
"""Kinds of input data; :mod:`aclnn_cts.golden.data` makes them."""

LAYOUT_NAMES = (
    "contiguous",
    "embedded",
    "transposed",
    "sliced",
    "stepped",
    "expanded",
    "transposed-outer",
    "reversed",
    "stepped-outer",
    "stepped-middle",
    "stepped-all",
    "shifted",
    "distant",
    "distant-inner",
    "expanded-inner",
)
"""How a view lies in its storage; :mod:`aclnn_cts.plan.layouts` computes the strides."""

BROADCASTS = ("full", "inner-one", "outer-one", "fewer", "all-one")
"""Which axes of a tensor that broadcasts are 1; :mod:`aclnn_cts.plan.factors` makes the shapes."""


PLANNED_SCENES = (
    "base",
    "coincidence",
    "count",
    "cover",
    "empty",
    "exact",
    "layout",
    "quotient",
    "rank",
    "size",
    "special",
    "special-together",
    "state",
    "strided-setting",
    "thresholds",
    "traversal",
    "twin",
)
"""Scenes of calls that must work and that no spec asks for; :mod:`aclnn_cts.plan` makes them."""


def unknown(kind: str, name: str, known: object) -> str:
    """Return the sentence on a name that a spec uses and that nothing has."""
    names = ", ".join(sorted(str(item) for item in known))  # type: ignore[attr-defined]
    return f"unknown {kind} {name!r}; known: {names or 'none'}"

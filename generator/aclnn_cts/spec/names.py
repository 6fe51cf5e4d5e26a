# SPDX-License-Identifier: Apache-2.0
"""Names of kinds of data, layouts and scenes, which later layers make.

Tests of those layers check that they make exactly these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

FILL_KINDS: dict[str, str] = {
    "uniform": "uniform in [-5, 5)",
    "normal": "normal, with a mean in [-5, 5] and a deviation in [0.1, 2]",
    "unit-interval": "uniform in (0, 1)",
    "wide": "uniform in [-3, 4)",
    "positive": "uniform in [0.125, 2)",
    "negative": "uniform in [-5, -0.125)",
    "least": "negative, from the least value of the type to a 32nd of it",
    "all-positive": "uniform in [0.125, 5)",
    "from-one": "uniform in [1, 5), so that no integer is 0",
    "far-above": "uniform in [712, 722): exponentials overflow in every type",
    "far-below": "uniform in [-70010, -70000), below the least number of float16",
    "last-largest": "the last element of every fourth row is far above the others",
    "tens": "uniform in [-40, 40)",
    "billions": "uniform in [-2^40, 2^40)",
    "mostly-negative": "nine values in ten are negative",
    "mostly-positive": "nine values in ten are positive",
    "around-thresholds": "each of the tensor's thresholds, one ulp to either side, and further off",
    "turning-points": "where terms of the formula overflow, vanish or level off, and nearby",
    "special": "NaN, Inf, zeros, subnormals and the largest values among ordinary ones",
    "special-finite": "as `special`, without NaN and Inf",
    "special-no-nan": "as `special`, without NaN and -Inf",
    "special-mild": "zeros, subnormals, 1 and -1 among ordinary values",
    "special-corner": "as `special`, in the first eighth of the elements only",
    "special-corner-summable": "as `special-corner`, without Inf and the largest values",
    "samples": "three samples along the outermost axis, in turn but without a period",
    "exact": "small multiples of powers of two: products and short sums of them are exact",
    "magnitudes": "both signs, as many in each octave from 2^-6 to 2^7",
    "octaves": "both signs, as many in each octave from 2^-66 to 2^66 that the type holds",
    "whole-range": "both signs, as many in each octave of the type's range",
    "near-least": "from the smallest normal number, or 1 of integers, to 128 times it",
    "specials": "NaN, Inf, zeros, subnormals, the largest values, 1 and -1, as many of each",
    "every": "each number of 16 bits, or one for all 16 leading bits; as `uniform` if they are few",
    "subnormal": "subnormal and smallest normal values, every other one ordinary",
    "large": "up to the largest finite value, so that some results overflow; half are ordinary",
    "offset": "within 1 of a large number; the type still distinguishes them",
    "distinct": "whole numbers that all differ within any 16 x 16 of the two innermost axes",
    "small": "both signs, magnitudes in [0.125, 1)",
    "ties": "-1, 0 and 1 only, so that most neighbours are equal",
    "pairs": "by place a threshold, or else a power of two or its negative; or a neighbour of it",
    "special-pairs": "special values, often the same by place, or among pairs of thresholds",
    "labels": "0 or 1",
    "lone": "0, but for one element of every other row along the axes that are reduced",
    "lone-special": "as `lone`; some of these elements are NaN or Inf",
    "holes": "0 for one element of every other row along the axes that are reduced, else odd",
    "near-one": "1 or -1, but for a few elements of each row along the axes that are reduced",
    "spreads": "rows along the axes that are reduced have levels and spreads of their own",
    "levels": "positive; rows along the axes that are reduced have levels of their own",
    "places": "places among the elements of another input, from 0 on",
    "places-either-way": "as `places`, every other one counted from the end, below 0",
    "places-ends": "the first and the last place only",
    "places-once": "places without repetition",
    "places-around": "as `places-either-way`, half of them as far outside as inside",
    "ones": "1 everywhere; in integers, every bit set",
    "zeros": "0 everywhere",
    "negative-zeros": "-0 everywhere",
    "bits": "random bits, for integers",
    "bits-padding": "random bits, all set at the end, for integers",
    "derived": "made by the formula module from the other inputs (a mask, statistics)",
}
"""Kinds of input data, with descriptions; :mod:`aclnn_cts.golden.data_kinds` makes them."""

OWN_FILL = r"own(-[a-z0-9]+)+"
"""Pattern of the kinds of floating data that an operator's formula module makes."""

LAYOUT_NAMES: dict[str, str] = {
    "contiguous": "place the elements one after another",
    "embedded": "put a contiguous view at the start of a longer storage",
    "transposed": "swap the two innermost axes in storage",
    "sliced": "cut the view out of a larger storage, at an offset not a multiple of 32 bytes",
    "stepped": "use every second element of the innermost axis",
    "expanded": "repeat one slice along the outermost axis longer than 1 (stride 0)",
    "transposed-outer": "swap the two outermost axes in storage",
    "reversed": "store the axes in the opposite order",
    "stepped-outer": "use every third element of the outermost axis",
    "stepped-middle": "use every third element of all axes between the outermost and the innermost",
    "stepped-all": "use every second or third element of every axis",
    "shifted": "put a contiguous view into longer storage, at an offset not a multiple of 32 bytes",
    "distant": "leave more than 2^16 elements before each slice of the outermost axis",
    "distant-inner": "leave more than 2^16 elements between neighbours along the innermost axis",
    "half-rows": "use the second half of each row of a contiguous tensor",
    "loose-ones": "place the elements one after another, and give axes of extent 1 any stride",
    "expanded-inner": "repeat one slice along the innermost axis longer than 1 (stride 0)",
}
"""Layouts, with descriptions; :mod:`aclnn_cts.plan.layouts` computes the strides."""

BROADCASTS = ("full", "inner-one", "outer-one", "fewer", "all-one")
"""Which axes of a tensor that broadcasts are 1; :mod:`aclnn_cts.plan.factors` makes the shapes."""

MUTUAL_BROADCASTS = ("more", "stretched", "crossed")
"""Further shapes of a tensor if the other one may be stretched, too."""

WITHIN = ("full", "shorter", "longer", "part")
"""Extents of a tensor, along an axis or elsewhere, beside those of the one that bounds them."""

TRAILING = ("last", "last-two", "fewer", "full")
"""Numbers of trailing extents that a tensor shares with another."""


FLOATING_FILLS = ("every",)
"""Kinds of data for which scenes choose floating types only."""

SPECIAL_FILLS = (
    "special",
    "special-corner",
    "special-corner-summable",
    "special-finite",
    "special-no-nan",
    "special-mild",
    "subnormal",
    "large",
)
"""Kinds of data that are not ordinary."""

PLACE_FILLS = ("places", "places-either-way", "places-ends", "places-once", "places-around")
"""Kinds of data that are places among the elements of another input."""

ROW_FILLS = ("lone", "lone-special", "holes", "levels", "near-one", "spreads")
"""Kinds of data that depend on the axes along which elements are reduced."""

PLANNED_SCENES = (
    "base",
    "batch",
    "coincidence",
    "count",
    "cover",
    "empty",
    "exact",
    "layout",
    "listed",
    "promotion",
    "quotient",
    "rank",
    "scalar",
    "size",
    "special",
    "special-together",
    "sharing",
    "soak",
    "state",
    "strided-setting",
    "thresholds",
    "traversal",
    "twin",
)
"""Scenes of valid calls that :mod:`aclnn_cts.plan` makes without a request in a spec."""


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """Return the message about an unknown name in a spec."""
    names = ", ".join(sorted(known))
    return f"unknown {kind} {name!r}; known: {names or 'none'}"


def kernel_name(operator: str) -> str:
    """Return the usual name of an operator's kernel and oracle."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", operator.removeprefix("aclnn")).lower()

# SPDX-License-Identifier: Apache-2.0
"""What the kinds of input data are, in words, for those who write specs."""

from __future__ import annotations

FILL_MEANINGS: dict[str, str] = {
    "uniform": "uniform in [-5, 5)",
    "normal": "normal, with a mean in [-5, 5] and a deviation in [0.1, 2]",
    "unit-interval": "uniform in (0, 1)",
    "wide": "uniform in [-3, 4)",
    "positive": "uniform in [0.125, 2)",
    "negative": "uniform in [-5, -0.125)",
    "all-positive": "uniform in [0.125, 5)",
    "mostly-negative": "nine values in ten are negative",
    "mostly-positive": "nine values in ten are positive",
    "around-thresholds": "each of the tensor's thresholds, one ulp to either side, and further off",
    "special": "NaN, Inf, zeros, subnormals and the largest values among ordinary ones",
    "special-finite": "as `special`, without NaN and Inf",
    "special-no-nan": "as `special`, without NaN and -Inf",
    "special-mild": "zeros, subnormals, 1 and -1 among ordinary values",
    "special-corner": "as `special`, in the first eighth of the elements only",
    "special-corner-summable": "as `special-corner`, without Inf and the largest values",
    "exact": "small multiples of powers of two: products and short sums of them are exact",
    "subnormal": "subnormal and smallest normal values, every other one ordinary",
    "large": "up to the largest finite value, so that some results overflow; half are ordinary",
    "offset": "within 1 of a large number, which the type still tells apart",
    "distinct": "whole numbers that all differ within any 16 x 16 of the two innermost axes",
    "ties": "-1, 0 and 1 only, so that most windows have several maxima",
    "ones": "1 everywhere; in integers, every bit set",
    "zeros": "0 everywhere",
    "negative-zeros": "-0 everywhere",
    "bits": "random bits, for integers",
    "bits-padding": "random bits, all set at the end, for integers",
    "derived": "what the formula module makes from the other inputs (a mask, statistics)",
}
"""By kind; :mod:`aclnn_cts.golden.fills` makes the data."""

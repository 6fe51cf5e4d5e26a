# SPDX-License-Identifier: Apache-2.0
"""aclnnDropoutGenMaskV2: a bit is 0, and its element masked, with the probability prob."""

from __future__ import annotations

import math
import operator

from aclnn_cts.golden.formula import Attributes, RandomBits
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.evaluation import arithmetic, ends_of, hold


def random_bits(attributes: Attributes) -> RandomBits:
    """Return the distribution of the bits of ``out`` without those that pad it to 128."""
    floating = DATA_TYPES[attributes["probDataType"]].floating
    probability = hold(attributes["prob"], floating) if floating else attributes["prob"]
    keep_share = ends_of(arithmetic(operator.sub, 1.0, probability))
    return RandomBits(keep_share[0], keep_share[-1], math.prod(attributes["shape"]))

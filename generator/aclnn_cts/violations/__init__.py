# SPDX-License-Identifier: Apache-2.0
"""The kinds of violations: how valid calls are broken, and how wrong ones are recognised."""

from __future__ import annotations

from aclnn_cts.violations.data_types import DtypeDiffers, DtypeOutsideSupport
from aclnn_cts.violations.formats import FormatDiffers, FormatOutsideSupport
from aclnn_cts.violations.kind import Kind
from aclnn_cts.violations.lists import (
    LengthDiffers,
    LengthOutside,
    MemberDtypeDiffers,
    NullMember,
    OfLists,
)
from aclnn_cts.violations.pointers import NullPointer
from aclnn_cts.violations.products import UnsupportedProduct
from aclnn_cts.violations.promotion import NotCastable, NotPromotable, PromotionOutsideSupport
from aclnn_cts.violations.ranks import RankBelow, RankOutside
from aclnn_cts.violations.shapes import ShapeDiffers
from aclnn_cts.violations.storage import EmptyTensor, NonContiguous
from aclnn_cts.violations.values import Assign

KINDS: dict[str, Kind] = {
    kind.key: kind()
    for kind in (
        NullPointer,
        DtypeOutsideSupport,
        DtypeDiffers,
        NotPromotable,
        PromotionOutsideSupport,
        NotCastable,
        RankOutside,
        RankBelow,
        ShapeDiffers,
        FormatOutsideSupport,
        FormatDiffers,
        EmptyTensor,
        NonContiguous,
        Assign,
        UnsupportedProduct,
        LengthOutside,
        LengthDiffers,
        NullMember,
        MemberDtypeDiffers,
    )
}
"""The kinds by their keys, in the order of specs' schema."""

DERIVED = tuple(
    kind.key
    for kind in (
        DtypeDiffers,
        ShapeDiffers,
        RankOutside,
        FormatOutsideSupport,
        UnsupportedProduct,
        LengthOutside,
    )
)
"""The kinds that tables of parameters and products imply, in the order of the clauses."""

CHECKED = tuple(
    KINDS[kind.key]
    for kind in (
        NullPointer,
        UnsupportedProduct,
        DtypeOutsideSupport,
        DtypeDiffers,
        NotPromotable,
        PromotionOutsideSupport,
        NotCastable,
        FormatOutsideSupport,
        FormatDiffers,
        RankOutside,
        ShapeDiffers,
        EmptyTensor,
        NonContiguous,
        Assign,
    )
)
"""The kinds that the simulated device checks, in the order of pages."""

OF_LISTS = tuple(kind for kind in KINDS.values() if isinstance(kind, OfLists))
"""The kinds that it checks of lists, before it goes through their tensors, in the same order."""

# SPDX-License-Identifier: Apache-2.0
"""Products that the document calls unsupported."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from aclnn_cts.violations.kind import Broken, Check, Kind

if TYPE_CHECKING:
    from aclnn_cts.plan.calls import Call, Twin
    from aclnn_cts.spec.clause_models import ErrorClause
    from aclnn_cts.spec.models import OperatorSpec
    from aclnn_cts.violations.rows import Row


class UnsupportedProduct(Kind):
    key = "unsupported_product"
    description = "Any call on a product for which the document says unsupported."
    form = "true"
    id = "product-unsupported"
    required = "the operator is not called on products that the table calls unsupported"
    covers = "product"
    needs_given = False
    is_of_dtypes = True

    def derived_value(self, row: Row) -> Any:
        return (isinstance(row.products, dict) and "unsupported" in row.products.values()) or None

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        """Yield the unchanged call, which is wrong only on the product."""
        del error
        if not at.spec.supports(at.product):
            yield Broken("", "", {})

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        supported = [name for name in spec.products if spec.supports(name)]
        yield Check("Product", arguments=(("products", supported),))

    def holds(self, call: Call, error: ErrorClause) -> bool:
        del error
        return not call.spec.supports(call.product)

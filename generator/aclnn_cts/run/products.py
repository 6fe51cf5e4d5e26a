# SPDX-License-Identifier: Apache-2.0
"""Which product a SoC name belongs to."""

from __future__ import annotations

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.spec.loading import SpecSet


def product_of(specs: SpecSet, soc: str) -> str:
    """Return the id of the product whose SoC names begin as this one.

    Raises:
        NotTrustworthyError: None does, or the device told no name.
    """
    for product in specs.products.values():
        if soc.startswith(tuple(product.soc_prefixes)):
            return product.id
    known = ", ".join(name for each in specs.products.values() for name in each.soc_prefixes)
    raise NotTrustworthyError(
        f"the device says it is {soc or 'nothing'}, which is no product of the suite "
        f"(their names begin with {known}); add it to specs/products.yaml, or use another device"
    )


def check_product(specs: SpecSet, soc: str, product: str) -> None:
    """Check that a device is what the cases are for, so that no results carry the wrong name.

    Raises:
        NotTrustworthyError: It is another product, or none that the suite knows.
    """
    found = product_of(specs, soc)
    if found != product:
        raise NotTrustworthyError(
            f"the device says it is {soc}, which is {found}; "
            f"the cases are for {product}: run with --product {found}"
        )

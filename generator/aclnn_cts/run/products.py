# SPDX-License-Identifier: Apache-2.0
"""Which product a device is, and whether it computes as that product is said to."""

from __future__ import annotations

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.products import product_of_soc


def product_of(specs: SpecSet, soc: str) -> str:
    """Return the id of the product whose SoC names begin as this one.

    Raises:
        NotTrustworthyError: None does, or the device told no name.
    """
    product = product_of_soc(specs.products, soc)
    if product is not None:
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


def check_overflow_mode(specs: SpecSet, product: str, *, inf_nan: bool | None) -> None:
    """Check that a device treats overflow as expectations take it to.

    Args:
        specs: All specs.
        product: The product's id.
        inf_nan: Whether the device says that it has Inf and NaN; None if it does not say.

    Raises:
        NotTrustworthyError: It is in the other mode, for which other promises are made.
    """
    if inf_nan in (None, specs.products[product].inf_nan):
        return
    has, mode = ("has", "saturation") if inf_nan else ("has no", "Inf/NaN")
    raise NotTrustworthyError(
        f"the device says that its arithmetic {has} Inf and NaN, contrary to what "
        f"specs/products.yaml states of {product}; set the device's {mode} mode (CANN: "
        "aclrtSetDeviceSatMode) and run from the start, or correct inf_nan there"
    )

# SPDX-License-Identifier: Apache-2.0
"""Which product a SoC is of, also where somebody wrote the SoC's name for the product's."""

from __future__ import annotations

import re
from collections.abc import Mapping

from aclnn_cts.errors import WrongInputError, unknown_name
from aclnn_cts.spec.models import Product

_FAMILY = "ascend"
"""How all SoC names begin; people and `npu-smi` leave it out."""


def product_of_soc(products: Mapping[str, Product], soc: str) -> Product | None:
    """Return the product whose SoC names begin as this one; None if none does.

    Args:
        products: All products by id, in the order in which SoC names are matched.
        soc: The name that the runtime reports, such as ``Ascend910B3``.
    """
    return next((p for p in products.values() if soc.startswith(tuple(p.soc_prefixes))), None)


def unknown_product(name: str, products: Mapping[str, Product]) -> WrongInputError:
    """Return the error for a product that does not exist.

    The nearest spelling of a SoC's name may be the id of quite another product, so it is not
    offered: cases that promise other things would be run, and nobody would notice.

    Args:
        name: What the user wrote.
        products: All products by id, in the order in which SoC names are matched.
    """
    written = _plain(name)
    if not written[:1].isdigit():
        return unknown_name("product", name, products)
    for product in products.values():
        if written.startswith(tuple(map(_plain, product.soc_prefixes))):
            return WrongInputError(f"{name} is a SoC; its product is {product.id}")
    return WrongInputError(
        f"unknown product {name!r}; no SoC name of a product begins so: {_soc_names(products)}"
    )


def _plain(soc: str) -> str:
    """Return a SoC name without what people write in many ways."""
    return re.sub(r"[^a-z0-9]", "", soc.lower()).removeprefix(_FAMILY)


def _soc_names(products: Mapping[str, Product]) -> str:
    """Return how the SoC names of each product begin, as a list for a sentence."""
    return ", ".join(f"{'*, '.join(p.soc_prefixes)}* ({p.id})" for p in products.values())

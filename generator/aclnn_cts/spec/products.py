# SPDX-License-Identifier: Apache-2.0
"""The product of a SoC, and the error for an unknown product."""

from __future__ import annotations

import re
from collections.abc import Mapping

from aclnn_cts.errors import WrongInputError, unknown_name
from aclnn_cts.spec.models import Product

_FAMILY = "ascend"
"""Common prefix of SoC names; people and `npu-smi` omit it."""


def product_of_soc(products: Mapping[str, Product], soc: str) -> Product | None:
    """Return the product of a SoC name, if any.

    Args:
        products: All products by id, in the order in which SoC names are matched.
        soc: The name that the runtime reports, such as ``Ascend910B3``.
    """
    return next((p for p in products.values() if soc.startswith(tuple(p.soc_prefixes))), None)


def unknown_product(name: str, products: Mapping[str, Product]) -> WrongInputError:
    """Return the error for a product that does not exist.

    For a SoC's name no similar id is suggested, because it may belong to another product, whose
    promises differ.

    Args:
        products: All products by id, in the order in which SoC names are matched.
    """
    plain_name = _plain(name)
    if not plain_name[:1].isdigit():
        return unknown_name("product", name, products)
    for product in products.values():
        if plain_name.startswith(tuple(map(_plain, product.soc_prefixes))):
            return WrongInputError(f"{name} is a SoC; its product is {product.id}")
    return WrongInputError(
        f"unknown product {name!r}; no product's SoC names have this prefix: {_soc_names(products)}"
    )


def _plain(soc: str) -> str:
    """Normalise a SoC name."""
    return re.sub(r"[^a-z0-9]", "", soc.lower()).removeprefix(_FAMILY)


def _soc_names(products: Mapping[str, Product]) -> str:
    """Return the SoC name prefixes of each product, as a list for a message."""
    return ", ".join(f"{'*, '.join(p.soc_prefixes)}* ({p.id})" for p in products.values())

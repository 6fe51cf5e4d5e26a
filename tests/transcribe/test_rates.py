# SPDX-License-Identifier: Apache-2.0
"""How much of real pages is read, and how much of that is right; the suite holds no pages."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tools.page_rates import Rate, counts, rates

PAGES = os.environ.get("ACLNN_CTS_PAGES")
pytestmark = pytest.mark.skipif(
    PAGES is None, reason="ACLNN_CTS_PAGES names no folder with the public pages of operators"
)


@pytest.fixture(scope="module")
def found() -> dict[str, Rate]:
    return rates(Path(PAGES or ""))


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("parameters", 0.98),
        ("data types per product", 0.97),
        ("ranks", 0.97),
        ("formats", 0.97),
        ("non-contiguous", 0.97),
        ("error rows", 0.97),
    ],
)
def test_enough_is_read(found: dict[str, Rate], kind: str, least: float) -> None:
    """Of what 30 pages say, as read by eye."""
    assert found[kind].right >= least * found[kind].stated, found[kind].missed


def test_what_is_asserted_is_right(found: dict[str, Rate]) -> None:
    """What is not certain stays open: 99 % of what the reader asserts of the 30 pages holds."""
    wrong = [each for rate in found.values() for each in rate.wrong]
    assert len(wrong) <= 0.01 * sum(rate.asserted for rate in found.values()), wrong


def test_no_parameter_of_any_page_is_lost() -> None:
    """Counted over all pages by expressions that know nothing of the reader."""
    counted, refused = counts(Path(PAGES or ""))
    assert refused == []
    stated, read = counted["parameters"]
    assert read >= 0.98 * stated > 0

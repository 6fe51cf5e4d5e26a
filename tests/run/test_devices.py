# SPDX-License-Identifier: Apache-2.0
"""Lists of devices as people write them."""

from __future__ import annotations

import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.run.process import parse_devices


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("0", (0,)), ("0,1,4-7", (0, 1, 4, 5, 6, 7)), (" 3 , 1 ", (3, 1)), ("2-2", (2,))],
)
def test_lists_and_ranges(text: str, numbers: tuple[int, ...]) -> None:
    """Numbers and ranges, in the order in which they are written."""
    assert parse_devices(text) == numbers


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is not a device number"),
        ("0,", "is not a device number"),
        ("-1", "is not a device number"),
        ("1-", "is not a device number"),
        ("a", "'a' is not a device number"),
        ("²", "is not a device number"),
        ("99999", "the largest device number is 9999"),
        ("0-100000", "the largest device number is 9999"),
        ("7-4", "runs backwards"),
        ("0-3,2", "2 is given twice"),
    ],
)
def test_what_is_no_list(text: str, told: str) -> None:
    """A sentence names the part that is wrong."""
    with pytest.raises(WrongInputError, match=told):
        parse_devices(text)

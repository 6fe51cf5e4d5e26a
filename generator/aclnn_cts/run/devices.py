# SPDX-License-Identifier: Apache-2.0
"""The devices that a run may use, as people name them: ``0,1,4-7``."""

from __future__ import annotations

import re

from aclnn_cts.errors import WrongInputError

_PART = re.compile(r"(?P<first>[0-9]{1,4})(?:-(?P<last>[0-9]{1,4}))?")


def parse_devices(text: str) -> tuple[int, ...]:
    """Return the numbers that a list of numbers and ranges names, in its order.

    Raises:
        WrongInputError: It is no such list, a range runs backwards, or a number stands in it twice.
    """
    numbers: list[int] = []
    for part in text.split(","):
        found = _PART.fullmatch(part.strip())
        if found is None:
            raise WrongInputError(
                f"--devices: {part.strip()!r} is no device number or range; write 0,1,4-7"
            )
        first = int(found["first"])
        last = int(found["last"] or first)
        if last < first:
            raise WrongInputError(f"--devices: the range {part.strip()} runs backwards")
        numbers += range(first, last + 1)
    twice = next((number for number in numbers if numbers.count(number) > 1), None)
    if twice is not None:
        raise WrongInputError(f"--devices: {twice} is named twice; name each device once")
    return tuple(numbers)

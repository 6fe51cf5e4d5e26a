# SPDX-License-Identifier: Apache-2.0
"""Where a run says what it is doing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Progress(Protocol):
    """Somebody who is told the stages of a run."""

    def stage(self, name: str, steps: int) -> None:
        """Begin a stage of so many steps (0 if unknown)."""

    def step(self, done: int) -> None:
        """Say how many steps of the stage are done."""

    def say(self, sentence: str) -> None:
        """Say, between two stages, what somebody should know who does not ask."""


class Silent:
    """Progress that nobody watches."""

    def stage(self, name: str, steps: int) -> None:
        """Take note of nothing."""

    def step(self, done: int) -> None:
        """Take note of nothing."""

    def say(self, sentence: str) -> None:
        """Take note of nothing."""


def counted(items: Iterable[Item], progress: Progress) -> Iterator[Item]:
    """Yield items, and tell before each how many of them are done."""
    for number, item in enumerate(items):
        progress.step(number)
        yield item

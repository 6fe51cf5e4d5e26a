# SPDX-License-Identifier: Apache-2.0
"""What a look at one part of a host found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Level(str, Enum):
    """How a finding bears on a run."""

    OK = "ok"
    WARN = "warn"
    """A run is possible, but may not be what was meant, or lacks something."""
    MISSING = "missing"
    """No run is possible before this is mended."""


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's.

    Attributes:
        topic: What was looked at.
        level: How it bears on a run.
        what: What is there, or what is wrong.
        advice: What to do; empty where all is well.
    """

    topic: str
    level: Level
    what: str
    advice: str = ""


def ok(topic: str, what: str) -> Finding:
    """Return a finding that all is well."""
    return Finding(topic, Level.OK, what)


def warn(topic: str, what: str, advice: str) -> Finding:
    """Return a finding that a run can do without."""
    return Finding(topic, Level.WARN, what, advice)


def missing(topic: str, what: str, advice: str) -> Finding:
    """Return a finding that no run can do without."""
    return Finding(topic, Level.MISSING, what, advice)


def split_advice(topic: str, sentence: str) -> Finding:
    """Return the finding for an error's sentence, in which the advice follows a semicolon."""
    what, _, advice = sentence.partition("; ")
    return missing(topic, what, advice)

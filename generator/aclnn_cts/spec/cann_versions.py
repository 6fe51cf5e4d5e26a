# SPDX-License-Identifier: Apache-2.0
"""Versions of CANN and ranges of them, as far as waivers need them.

CANN counts a release up as ``8.0.RC1``, ``8.0.RC2``, ``8.0.0``, with early builds such as
``8.0.RC2.alpha001`` and ``8.0.0.alpha001`` right before the one that they are named after. Python's
versions order candidates and releases alike, but put an early build before all candidates; so it
becomes a development build of its candidate, or of a last one before the release.
"""

from __future__ import annotations

import re

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version

_VERSION = re.compile(
    r"(?P<release>\d+\.\d+(?:\.\d+)?)"
    r"(?:\.RC(?P<candidate>\d+))?"
    r"(?:[.-](?P<stage>alpha|beta)\.?(?P<build>\d+))?",
    re.IGNORECASE,
)
_BOUND = re.compile(r"\s*(?P<comparison><=|>=|==|!=|<|>)\s*(?P<version>\S+)\s*")

_LAST_CANDIDATE = 1_000_000
"""Stands for the release itself, where an early build of it needs a candidate to come before."""

_AFTER_ALPHA = 1_000_000
"""Added to the number of a beta build, so that it comes after all alpha builds."""


def cann_version(text: str) -> Version | None:
    """Return a version of CANN; None if the text is none, such as that of the simulated device."""
    match = _VERSION.fullmatch(text.strip())
    if match is None:
        return None
    release, candidate, stage, build = match.group("release", "candidate", "stage", "build")
    if stage is None:
        return Version(f"{release}rc{candidate}" if candidate else release)
    number = int(build) + (_AFTER_ALPHA if stage.lower() == "beta" else 0)
    return Version(f"{release}rc{candidate or _LAST_CANDIDATE}.dev{number}")


def cann_range(text: str) -> SpecifierSet:
    """Return a range of versions, such as ``>=8.0,<8.2`` or ``==8.0.RC3``.

    Raises:
        ValueError: It is none; says what is allowed.
    """
    return SpecifierSet(",".join(map(_bound, text.split(","))), prereleases=True)


def _bound(text: str) -> str:
    match = _BOUND.fullmatch(text)
    wrong = ValueError(
        f"{text.strip()!r} bounds no versions of CANN; allowed: <, <=, >, >=, == or != and a "
        "version such as 8.0, 8.0.RC3 or 8.0.*, several joined by commas"
    )
    if match is None:
        raise wrong
    comparison, name = match.group("comparison", "version")
    known = cann_version(name)
    try:
        SpecifierSet(f"{comparison}{known or name}")
    except InvalidSpecifier:
        raise wrong from None
    if known is None and not re.fullmatch(r"\d+(\.\d+)*\.\*", name):
        raise wrong
    return f"{comparison}{known or name}"


def in_range(text: str, allowed: str) -> bool:
    """Whether a version of CANN is in a range; an unknown version is in none.

    Args:
        text: What the toolkit says of itself.
        allowed: The range, see :func:`cann_range`.
    """
    version = cann_version(text)
    return version is not None and cann_range(allowed).contains(version)

# SPDX-License-Identifier: Apache-2.0
"""Pictures as SVG: where the errors of an output sit, and how large they are."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

from aclnn_cts.judge.pictures import EDGES, NOTHING, ErrorBin, Picture

_SIDES = (7, 22)
_SIDE = 224
"""On the page a picture is about so many pixels wide or high, with cells of between 7 and 22."""

_BAR, _GAP, _HEIGHT = 9, 2, 56
_TALLEST = 44
_MOST_EMPTY = 4
"""Empty bins in a row that are drawn; more would push the others out of sight."""


def grid_svg(picture: Picture) -> str:
    """Return where the errors of an output sit; a path per shade, so that it stays small."""
    high, wide = len(picture.grid), max(map(len, picture.grid), default=0)
    label = f"{picture.wrong} wrong elements of {picture.output} in its layout"
    root = _svg("grid", wide, high, label)
    side = min(max(_SIDE // max(wide, high, 1), _SIDES[0]), _SIDES[1])
    root.set("width", str(wide * side))
    root.set("height", str(high * side))
    shades: dict[str, list[str]] = {"0": []}
    for row, line in enumerate(picture.grid):
        held = len(line.rstrip(NOTHING))
        shades["0"].append(f"M0 {row}.5h{held}")
        for shade, column, length in _runs(line):
            if shade not in (NOTHING, "0"):
                shades.setdefault(shade, []).append(f"M{column} {row}.5h{length}")
    for shade in sorted(shades):
        ET.SubElement(root, "path", {"class": f"s{shade}", "d": "".join(shades[shade])})
    lines = [f"M{column} 0v{high}" for column in range(1, wide)]
    lines += [f"M0 {row}h{wide}" for row in range(1, high)]
    ET.SubElement(root, "path", {"class": "lines", "d": "".join(lines)})
    return ET.tostring(root, encoding="unicode")


def _runs(line: str) -> Iterator[tuple[str, int, int]]:
    """Yield each stretch of equal signs: the sign, where it begins, how long it is."""
    column = 0
    for sign, same in itertools.groupby(line):
        length = len(list(same))
        yield sign, column, length
        column += length


def histogram_svg(picture: Picture) -> str:
    """Return how large the errors of an output are; wrong elements are stacked on right ones.

    The bars' heights are logarithmic: one wrong element among a million must be seen.
    """
    bars = list(_filled(picture.histogram))
    if picture.another_class:
        bars.append(("class", picture.another_class, picture.another_class))
    width = max(len(bars), 1) * (_BAR + _GAP)
    root = _svg("histogram", width, _HEIGHT, f"errors of {picture.output} in ulps")
    most = max((elements for _, elements, _ in bars), default=1)
    for place, (name, elements, wrong) in enumerate(bars):
        tall = _TALLEST * _height(elements, most)
        red = tall * wrong / elements if elements else 0.0
        group = ET.SubElement(root, "g")
        ET.SubElement(group, "title").text = _told(name, elements, wrong)
        left = place * (_BAR + _GAP) + _GAP / 2
        for kind, top, part in (
            ("right", _TALLEST - tall + red, tall - red),
            ("wrong", _TALLEST - tall, red),
        ):
            if part > 0:
                box = {"class": kind, "x": f"{left:g}", "y": f"{top:.1f}"}
                ET.SubElement(group, "rect", {**box, "width": f"{_BAR}", "height": f"{part:.1f}"})
    _axis(root, bars)
    return ET.tostring(root, encoding="unicode")


def _axis(root: ET.Element, bars: Sequence[tuple[str, int, int]]) -> None:
    """Write below the bars what they stand for, as far as there is room."""
    width = len(bars) * (_BAR + _GAP)
    ET.SubElement(root, "path", {"class": "axis", "d": f"M0 {_TALLEST + 0.5}h{width}"})
    last = -math.inf
    for place, (name, _, _) in enumerate(bars):
        middle = place * (_BAR + _GAP) + (_BAR + _GAP) / 2
        half = 2.2 * len(name)
        if middle - half > last and middle + half <= width + _GAP:
            last = middle + half + 2
            ET.SubElement(root, "text", {"x": f"{middle:g}", "y": f"{_HEIGHT - 3}"}).text = name


def _filled(histogram: Sequence[ErrorBin]) -> Iterator[tuple[str, int, int]]:
    """Yield the bins up to the last one with their names; many empty ones in a row become one."""
    held = {each.ulps: each for each in histogram}
    empty: list[tuple[str, int, int]] = []
    for end in (*EDGES, math.inf):
        if end in held:
            yield from empty if len(empty) <= _MOST_EMPTY else [("…", 0, 0)]
            empty = []
            yield _name(end), held[end].elements, held[end].wrong
        else:
            empty.append((_name(end), 0, 0))


def _name(end: float) -> str:
    if math.isinf(end):
        return "∞"
    if end <= 1:
        return {0.0: "0", 0.5: "½"}.get(end, "1")
    return f"{end:.0f}" if end < 1000 else f"2^{math.log2(end):.0f}"


def _told(name: str, elements: int, wrong: int) -> str:
    if name == "class":
        return f"{elements} of a class that is not allowed"
    size = "none" if name == "0" else "beyond measure" if name == "∞" else f"up to {name} ulp"
    return f"{size}: {elements} elements, {wrong} wrong"


def _height(elements: int, most: int) -> float:
    return math.log1p(elements) / math.log1p(most)


def _svg(kind: str, width: float, height: float, label: str) -> ET.Element:
    facts = {"class": kind, "viewBox": f"0 0 {width:g} {height:g}", "width": f"{width:g}"}
    return ET.Element("svg", {**facts, "height": f"{height:g}", "role": "img", "aria-label": label})

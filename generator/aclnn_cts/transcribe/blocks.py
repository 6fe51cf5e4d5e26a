# SPDX-License-Identifier: Apache-2.0
"""A page as headings, passages, listings and tables, each with its line.

markdown-it reads the Markdown and Beautiful Soup the HTML tables in it. Tables are removed before
the Markdown is read, because a blank line would end their HTML blocks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from markdown_it import MarkdownIt
from markdown_it.token import Token

from aclnn_cts.errors import WrongFileError, WrongInputError
from aclnn_cts.files import read_text

_LARGEST = 1 << 18
"""Maximum number of characters of a page; the largest known one has 72,290."""

_MOST_BRACKETS = 2000
"""Maximum number of opening brackets of a page; the known ones have at most 170."""

_MOST_OPEN = 20
"""Maximum number of comments without an end; each one costs a search to the end of the page."""

_MOST_CELLS = 20_000
"""Maximum number of places that the cells of a table cover; the known ones have at most 254."""

_MOST_DIGITS = 100
"""Maximum number of digits in a row; Python reads no number of more than 4,300."""

_MARKER = re.compile(r'<!--\s*npu="([^"]*)"\s*(\S+)\s*-->|<!--\s*end\s+(\S+)\s*-->')
_EXAMPLE = re.compile(r"^(?:#+[ \t]*)?调用示例[ \t]*$", re.MULTILINE)
"""The last chapter: code that states nothing, and that some copies cut off."""

_PLAIN_HEADINGS = re.compile(
    r"产品支持情况|支持的产品型号|功能说明|功能描述|函数原型|接口原型|约束说明|约束与限制"
    r"|aclnn[A-Z]\w*(?:Get[Ww]ork[Ss]paceSize)?"
)
"""Lines that are headings even in a copy without Markdown."""


@dataclass(frozen=True)
class Heading:
    """The title of a chapter."""

    line: int
    level: int
    text: str


@dataclass(frozen=True)
class Passage:
    """A paragraph or list item with its line breaks.

    Attributes:
        text: Its text without markup.
        depth: Number of surrounding lists.
        markers: The surrounding markers of products, if any.
    """

    line: int
    text: str
    depth: int
    markers: tuple[str, ...] | None


@dataclass(frozen=True)
class Listing:
    line: int
    text: str


@dataclass(frozen=True)
class Row:
    """A row of a table.

    Attributes:
        number: Its number, from 1.
        cells: The text of each column, with a line per list item.
        merged: Columns of the cells that extend over several rows or columns.
        markers: As in :class:`Passage`.
    """

    line: int
    number: int
    cells: tuple[str, ...]
    merged: frozenset[int] = frozenset()
    markers: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Table:
    """A table, numbered from 1 in the order of the page."""

    line: int
    number: int
    header: tuple[str, ...]
    rows: tuple[Row, ...]


Block = Heading | Passage | Listing | Table


@dataclass
class _Source:
    """The text of a page, with its tables and markers."""

    path: Path
    text: str
    tables: dict[int, Tag] = field(default_factory=dict)
    fences: list[tuple[int, int]] = field(default_factory=list)
    markers: list[tuple[int, int, tuple[str, ...]]] = field(default_factory=list)

    def markers_at(self, line: int) -> tuple[str, ...] | None:
        product_lists = [names for start, end, names in self.markers if start <= line <= end]
        return product_lists[-1] if product_lists else None

    def refuse(self, line: int, text: str) -> WrongFileError:
        return WrongFileError(f"{self.path}:{line}: {text}")


def read_blocks(path: Path) -> list[Block]:
    """Read a page up to its example.

    Raises:
        WrongInputError: The file cannot be read.
        WrongFileError: ``path:LINE: what is wrong``: it is not UTF-8, or truncated within a table,
            listing or marker.
    """
    source = _Source(path, _EXAMPLE.split(_text_of(path), maxsplit=1)[0])
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table").disable("lheading")
    for token in markdown.parse(source.text):
        if token.type == "fence" and token.map:
            source.fences.append((token.map[0], token.map[1]))
    _check_fences(source)
    _find_markers(source)
    masked = _without_tables(source)
    return list(_blocks(source, markdown.parse(masked)))


def _text_of(path: Path) -> str:
    text = read_text(path, "page")

    def refused(place: int, problem: str) -> WrongFileError:
        line = text.count("\n", 0, place) + 1
        return WrongFileError(f"{path}:{line}: {problem}")

    if len(text) > _LARGEST:
        raise WrongInputError(
            f"{path}: longer than {_LARGEST:,} characters; not an operator's page"
        )
    for mark, count, most in (
        ("[", text.count("["), _MOST_BRACKETS),
        ("<!--", text.count("<!--") - text.count("-->"), _MOST_OPEN),
    ):
        if count > most:
            problem = f"{count:,} times {mark!r} from here on; not an operator's page"
            raise refused(text.index(mark), problem)
    if number := re.search(rf"\d{{{_MOST_DIGITS + 1},}}", text):
        problem = f"a number of {len(number[0]):,} digits; not an operator's page"
        raise refused(number.start(), problem)
    if "\0" in text:
        raise refused(text.index("\0"), "holds a NUL character; save the page as UTF-8")
    return text


def _check_fences(source: _Source) -> None:
    lines = source.text.split("\n")
    for start, end in source.fences:
        if not re.match(r"\s*(```|~~~)", lines[end - 1]) or end - 1 == start:
            raise source.refuse(start + 1, "the code that begins here has no end; truncated page?")


def _find_markers(source: _Source) -> None:
    opened: dict[str, tuple[int, tuple[str, ...]]] = {}
    for number, line in enumerate(source.text.split("\n"), 1):
        for match in _MARKER.finditer(line):
            names, begun, ended = match.groups()
            if begun is not None:
                opened[begun] = (number, tuple(n.strip() for n in names.split(",")))
            elif ended in opened:
                start, products = opened.pop(ended)
                source.markers.append((start, number, products))
    for start, _ in opened.values():
        raise source.refuse(start, "the product marker that begins here has no end")


def _without_tables(source: _Source) -> str:
    """Replace each HTML table by a placeholder; all lines keep their numbers."""
    lines = source.text.split("\n")
    for start, end in source.fences:
        lines[start:end] = [""] * (end - start)
    unfenced = "\n".join(lines)
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    masked = source.text.split("\n")
    for match in re.finditer(r"<table\b", unfenced, re.IGNORECASE):
        begin = match.start()
        first = bisect_right(starts, begin) - 1
        end = unfenced.find("</table", begin)
        following = unfenced.find("<table", begin + 1)
        if end < 0 or 0 <= following < end:
            raise source.refuse(first + 1, "the table that begins here has no end; truncated page?")
        last = bisect_right(starts, end) - 1
        # each on its own, because a "<" in a formula above it could begin a tag
        markup = "\n" * first + unfenced[begin:end]
        source.tables[first + 1] = BeautifulSoup(markup, "html.parser")
        indent = masked[first][: len(masked[first]) - len(masked[first].lstrip())]
        masked[first] = f"{indent}<!-- table {first + 1} -->"
        masked[first + 1 : last + 1] = [""] * (last - first)
    if not any(line.startswith("#") for line in lines):
        masked = [f"## {line}" if _PLAIN_HEADINGS.fullmatch(line) else line for line in masked]
    return "\n".join(masked)


_PLACEHOLDER = re.compile(r"<!-- table (\d+) -->")


def _blocks(source: _Source, tokens: Sequence[Token]) -> Iterator[Block]:
    depth = number = 0
    position = 0
    while position < len(tokens):
        token = tokens[position]
        line = (token.map[0] if token.map else 0) + 1
        if token.type in ("list_item_open", "list_item_close"):
            depth += token.nesting
        elif token.type == "heading_open":
            yield Heading(line, int(token.tag[1]), plain(_text(tokens[position + 1])))
            position += 1
        elif token.type == "fence":
            yield Listing(line, token.content)
        elif token.type == "table_open":
            number += 1
            end = next(n for n in range(position, len(tokens)) if tokens[n].type == "table_close")
            yield _markdown_table(tokens[position:end], number, line)
            position = end
        elif token.type == "html_block" and (placeholder := _PLACEHOLDER.search(token.content)):
            number += 1
            yield _html_table(source, int(placeholder[1]), number)
        elif token.type in ("inline", "html_block", "code_block"):
            yield from _passage(source, token, line, depth)
        position += 1


def _passage(source: _Source, token: Token, line: int, depth: int) -> Iterator[Passage]:
    if token.type == "html_block":
        text = BeautifulSoup(token.content, "html.parser").get_text()
    else:
        text = _text(token)
    if text.strip():
        yield Passage(line, text, depth, source.markers_at(line))


def _text(token: Token) -> str:
    """Return the text of an inline token without its markup."""
    if token.children is None:
        return token.content
    parts = []
    for child in token.children:
        if child.type in ("softbreak", "hardbreak") or child.content.lower().startswith("<br"):
            parts.append("\n")
        elif child.type in ("text", "code_inline") or not _TAG.match(child.content):
            parts.append(child.content)
    return "".join(parts)


_TAG = re.compile(
    r"</?(term|a|b|i|p|br|em|strong|sub|sup|span|code|div|font|u)\b|<!--|$", re.IGNORECASE
)
"""Tags of pages; anything else, such as ``<min``, is text."""


def plain(text: str) -> str:
    return " ".join(text.split())


def _markdown_table(tokens: Sequence[Token], number: int, line: int) -> Table:
    rows: list[tuple[int, list[str]]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append(((token.map[0] if token.map else line - 1) + 1, []))
        elif token.type == "inline":
            rows[-1][1].append(_text(token).strip())
    header = tuple(plain(cell) for cell in rows[0][1])
    return Table(
        line,
        number,
        header,
        tuple(Row(at, n, tuple(cells)) for n, (at, cells) in enumerate(rows[1:], 1)),
    )


def _html_table(source: _Source, line: int, number: int) -> Table:
    """Return a table with the text of merged cells in all places that they cover."""
    rows = source.tables[line].find_all("tr")
    header: tuple[str, ...] = ()
    covered: dict[tuple[int, int], str] = {}
    table_rows: list[Row] = []
    places = 0
    for height, row in enumerate(rows):
        cells = {column: text for (at, column), text in covered.items() if at == height}
        merged = set(cells)
        column = 0
        for cell in row.find_all(["td", "th"]):
            while column in cells:
                column += 1
            text = _cell_text(cell)
            wide, high = _span(source, cell, "colspan"), _span(source, cell, "rowspan")
            places += wide * high
            if places > _MOST_CELLS:
                raise source.refuse(
                    cell.sourceline or line,
                    f"the cells of this table cover more than {_MOST_CELLS:,} places",
                )
            for across in range(wide):
                cells[column + across] = text
                if wide > 1 or high > 1:
                    merged.add(column + across)
                for down in range(1, high):
                    covered[height + down, column + across] = text
            column += wide
        values = tuple(cells[key] for key in sorted(cells))
        if not header and (row.find("th") is not None or height == 0):
            header = tuple(plain(value) for value in values)
        elif values:
            at = row.sourceline or line
            table_rows.append(
                Row(at, len(table_rows) + 1, values, frozenset(merged), source.markers_at(at))
            )
    return Table(line, number, header, tuple(table_rows))


def _span(source: _Source, cell: Tag, name: str) -> int:
    text = str(cell.get(name, "1")).strip()
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise source.refuse(cell.sourceline or 1, f"{name}={text!r} is not a number of cells")
    return int(text)


_BREAKS = ("br", "li", "p", "ul", "ol", "div")
_BREAK = "\x1e"


def _cell_text(cell: Tag) -> str:
    """Return the text of a cell, a line for each of its parts."""
    # line ends mean nothing in HTML
    for tag in cell.find_all(_BREAKS):
        tag.insert_before(_BREAK)
        tag.insert_after(_BREAK)
    lines = (plain(part) for part in cell.get_text().split(_BREAK))
    return "\n".join(line for line in lines if line)

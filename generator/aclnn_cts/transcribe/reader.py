# SPDX-License-Identifier: Apache-2.0
"""Reading a page: blocks in, a :class:`~aclnn_cts.transcribe.page_model.Page` out."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any

from aclnn_cts.errors import WrongFileError, counted
from aclnn_cts.files import read_text
from aclnn_cts.spec.data_types import STATUSES
from aclnn_cts.spec.models import Determinism, Product, Support
from aclnn_cts.transcribe import phrases, statements
from aclnn_cts.transcribe.blocks import (
    Block,
    Heading,
    Listing,
    Passage,
    Row,
    Table,
    plain,
    read_blocks,
)
from aclnn_cts.transcribe.page_model import (
    Chapter,
    Condition,
    CParameter,
    ErrorTableRow,
    Function,
    Interval,
    Open,
    Page,
    PageParameter,
    PageSentence,
    Place,
    Prototype,
    Relation,
    fingerprint,
    quoted,
)

_SUPPORTED_PRODUCTS = "支持的产品型号"
"""The chapter of earlier pages that lists only supported products."""

_CHAPTERS: Mapping[str, Chapter] = {
    "产品支持情况": "products",
    _SUPPORTED_PRODUCTS: "products",
    "功能说明": "function",
    "功能描述": "function",
    "函数原型": "prototype",
    "接口原型": "prototype",
    "约束说明": "constraints",
    "约束与限制": "constraints",
}
_FIRST_PHASE = re.compile(r"(aclnn\w+?)Get[Ww]ork[Ss]paceSize", re.ASCII)
_PROTOTYPE = re.compile(r"aclnnStatus\s+(aclnn\w+?)GetWorkspaceSize\s*\(([^()]*)\)", re.ASCII)
_C_PARAMETER = re.compile(
    r"(?P<const>const\s+)?(?P<type>\w+)\s*(?P<stars>(?:\*\s*)*)(?P<name>\w+)", re.ASCII
)
_OF_EVERY_CALL = ("workspaceSize", "workspace_size", "executor")
_COLUMNS = {
    "参数名": "name",
    "输入/输出": "direction",
    "输入/输出/属性": "direction",
    "输入输出": "direction",
    "描述": "description",
    "使用说明": "remarks",
    "数据类型": "dtype",
    "数据格式": "format",
    "格式类型": "format",
    "维度(shape)": "rank",
    "维度": "rank",
    "非连续tensor": "non_contiguous",
    "非连续张量tensor": "non_contiguous",
}
_DIRECTIONS = {
    "输入": ("input", None),
    "输出": ("output", None),
    "属性": ("input", None),
    "输入/输出": ("inout", None),
    "输入输出": ("inout", None),
    "输入、输出": ("inout", None),
    "输入|输出": ("inout", None),
    "可选输入": ("input", True),
    "输入(可选)": ("input", True),
    "可选输出": ("output", True),
    "输出(可选)": ("output", True),
    "计算输入": ("input", None),
    "计算输出": ("output", None),
    "计算输入|计算输出": ("inout", None),
    "入参": ("input", None),
    "出参": ("output", None),
}
_YES_NO = {"√": True, "支持": True, "×": False, "x": False, "X": False, "不支持": False}
_NOTHING = ("-", "", "不涉及", "—", "无")
_COMMON = re.compile(
    r"aclnnStatus[:：]?返回状态码.*|返回aclnnStatus状态码.*|第一段接口(?:会)?完成入参校验.*|返回值[:：]?"
    r"|参数说明[:：]?|每个算子分为.*|.*查看源码.*|无|返回需要在Device侧申请的workspace大小"
    r"|返回op执行器.*|\(aclTensor\*.*|undefined|(?:是?Device侧的?aclTensor)|输入输出Tensor|(?:接口功能|算子功能|计算公式|功能说明)[:：]?"
    r"|确定性(?:计算|说明)[:：]?|-*"
)
"""Phrases of all pages, and titles of later chapters."""


def _is_common(text: str) -> bool:
    return _COMMON.fullmatch(phrases.canonical(text).rstrip("。.;:")) is not None


@dataclass
class _State:
    """State of the reader."""

    path: Path
    products: Mapping[str, Product]
    sentences: list[PageSentence] = field(default_factory=list)
    open: list[Open] = field(default_factory=list)

    def refuse(self, line: int, text: str) -> WrongFileError:
        return WrongFileError(f"{self.path}:{line}: {text}")

    def leave_open(self, place: Place, about: str, reason: str, function: str = "") -> None:
        entry = Open(place=place, function=function, about=about, reason=reason)
        if entry not in self.open:
            self.open.append(entry)

    def note(
        self,
        place: Place,
        chapter: Chapter,
        text: str,
        about: str = "",
        *,
        function: str = "",
        understood: bool,
    ) -> None:
        if text.strip():
            self.sentences.append(
                PageSentence(
                    place=place,
                    chapter=chapter,
                    function=function,
                    about=about,
                    fingerprint=fingerprint(text),
                    understood=understood or _is_common(text),
                    text=plain(text),
                )
            )

    def named_products(self, text: str) -> tuple[tuple[str, ...], str]:
        """Return the products at the start of a text, and the rest of it."""
        products: list[str] = []
        remainder = re.sub(r"^[-·•*]\s*", "", phrases.canonical(text))
        while match := self._product_names.match(remainder):
            products.append(self._by_name[re.sub(r"\s", "", match[0])])
            remainder = re.sub(r"^[、,和与及]+", "", remainder[match.end() :])
        if not products or (remainder.strip("。") and not remainder.startswith(":")):
            return (), text
        return tuple(dict.fromkeys(products)), remainder.lstrip(":") if remainder.strip(
            "。"
        ) else ""

    def mentions_product(self, text: str) -> bool:
        return self._product_names.search(phrases.canonical(text)) is not None

    @cached_property
    def _by_name(self) -> dict[str, str]:
        return {
            re.sub(r"\s", "", name): product.id
            for product in self.products.values()
            for name in product.page_names
        }

    @cached_property
    def _product_names(self) -> re.Pattern[str]:
        names = sorted(self._by_name, key=len, reverse=True)
        return re.compile("|".join(r"\s*".join(map(re.escape, name)) for name in names) or "(?!)")

    def marked_products(self, markers: Sequence[str]) -> tuple[str, ...]:
        by_marker = {product.page_marker: product.id for product in self.products.values()}
        return tuple(by_marker[name] for name in markers if name in by_marker)


def read_page(path: Path, products: Mapping[str, Product]) -> Page:
    """Read an operator's page.

    Args:
        path: The page, Markdown with HTML tables.

    Raises:
        WrongInputError: ``path:LINE: why`` the page cannot be read: no Markdown in UTF-8,
            truncated, not in Chinese, without a prototype or parameter table, or with tables whose
            cells are merged or shifted.
    """
    state = _State(path, products)
    blocks = read_blocks(path)
    chapters = list(_chapters(blocks))
    prototypes = _prototypes(state, chapters)
    support = _support(state, chapters)
    supported = [product for product, value in support.items() if value == "supported"]
    functions = _with_determinism(
        state,
        [_function(state, each, chapters, supported) for each in prototypes],
        chapters,
        supported,
    )
    for _, _, content in _about("function", chapters):
        _note_passages(state, content)
    if not _about("constraints", chapters):
        last, line, _ = chapters[-1]
        raise state.refuse(
            line, f"the page has no chapter on constraints and ends in {last!r}; truncated?"
        )
    title = next((b.text for b in blocks if isinstance(b, Heading) and b.level == 1), "")
    # blocks have neither targets of links nor the example
    text = read_text(path, "page")
    source = re.search(r"https?://\S+?/tree/[^/\s]+/([a-z]+)/", text)
    return Page(
        title=title or functions[0].name,
        headers=tuple(dict.fromkeys(_HEADER.findall(text))),
        family=source[1] if source else None,
        products=support,
        functions=functions,
        sentences=tuple(state.sentences),
        open=tuple(state.open),
    )


_HEADER = re.compile(r'#include\s+"(aclnnop/[\w/]+\.h)"', re.ASCII)

_Chapters = Sequence[tuple[str, int, list[Block]]]


def _chapters(blocks: Iterable[Block]) -> Iterator[tuple[str, int, list[Block]]]:
    """Yield title, line and content of each chapter; some pages have it at a deeper level."""
    title, line, content = "", 1, list[Block]()
    for block in blocks:
        if isinstance(block, Heading) and (
            block.level <= 2 or block.text in _CHAPTERS or _FIRST_PHASE.fullmatch(block.text)
        ):
            yield title, line, content
            title, line, content = block.text, block.line, []
        else:
            content.append(block)
    yield title, line, content


def _about(chapter: Chapter, chapters: _Chapters) -> _Chapters:
    """Return the chapters of one kind."""
    return [each for each in chapters if _CHAPTERS.get(each[0]) == chapter]


def _prototypes(state: _State, chapters: _Chapters) -> list[Prototype]:
    about_prototypes = _about("prototype", chapters)
    if not about_prototypes:
        titles = ", ".join(dict.fromkeys(title for title, _, _ in chapters if title)) or "none"
        raise state.refuse(
            1,
            "no chapter 函数原型 (prototypes) here; only Chinese pages of operators can be read "
            f"(chapters: {titles})",
        )
    prototypes = [
        Prototype(
            function=match[1],
            parameters=tuple(_c_parameters(state, match[2], block.line)),
            place=Place(line=block.line),
        )
        for _, _, content in about_prototypes
        for block in content
        if isinstance(block, Listing | Passage)
        for match in _PROTOTYPE.finditer(block.text)
    ]
    if not prototypes:
        raise state.refuse(
            about_prototypes[0][1], "no prototype of an aclnn…GetWorkspaceSize function"
        )
    names = [each.function for each in prototypes]
    for prototype in prototypes:
        if names.count(prototype.function) > 1:
            raise state.refuse(
                prototype.place.line, f"several prototypes of {prototype.function}GetWorkspaceSize"
            )
    return prototypes


def _c_parameters(state: _State, text: str, line: int) -> Iterator[CParameter]:
    without_comments = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    for part in without_comments.split(","):
        match = _C_PARAMETER.fullmatch(part.strip())
        if match is None:
            raise state.refuse(line, f"not a parameter of a C prototype: {plain(part)!r}")
        if match["name"] not in _OF_EVERY_CALL and match["type"] != "aclOpExecutor":
            yield CParameter(
                name=match["name"],
                type=match["type"] + match["stars"].replace(" ", "").replace("\n", ""),
                const=match["const"] is not None,
            )


_SUPPORT: Mapping[str, Support] = {
    word: "supported" if is_yes else "unsupported" for word, is_yes in _YES_NO.items()
}


def _support(state: _State, chapters: _Chapters) -> dict[str, Support]:
    """Return the table of products: items such as ``product: supported``, or a table."""
    support: dict[str, Support] = {}
    line = 1
    for place, text, answer in _product_lines(chapters):
        line = place.line
        products, remainder = state.named_products(text)
        value = _SUPPORT.get(
            phrases.canonical(remainder if answer is None else answer).rstrip("。")
        )
        state.note(place, "products", text, understood=value is not None)
        if value is None or not products:
            if not _is_common(text):
                state.leave_open(place, "products", "neither product nor support understood")
            continue
        for product in products:
            if support.setdefault(product, value) != value:
                state.leave_open(place, f"product {product}", "said to be supported and not")
    if not support:
        state.leave_open(Place(line=line), "products", "no list of products understood")
    return {product: support.get(product, "unlisted") for product in state.products}


def _product_lines(chapters: _Chapters) -> Iterator[tuple[Place, str, str | None]]:
    """Yield place, product and support; None if the support follows the product."""
    for title, _, content in _about("products", chapters):
        for block in content:
            if isinstance(block, Table):
                for row in block.rows:
                    yield _row_place(block, row), row.cells[0], " ".join(row.cells[1:])
            elif isinstance(block, Passage):
                for text in filter(str.strip, block.text.split("\n")):
                    answer = "支持" if title == _SUPPORTED_PRODUCTS else None
                    yield Place(line=block.line), text, answer


def _row_place(table: Table, row: Row) -> Place:
    return Place(line=row.line, table=table.number, row=row.number)


def _columns(table: Table) -> dict[str, int]:
    """Return the number of each known column of a parameter table."""
    columns = {}
    for number, title in enumerate(table.header):
        folded = re.sub(r"\s", "", phrases.canonical(title)).lower()
        for name, column in _COLUMNS.items():
            if folded == name.lower():
                columns[column] = number
    return columns


def _is_parameter_table(table: Table) -> bool:
    columns = _columns(table)
    return "name" in columns and "dtype" in columns


def _row_name(text: str) -> str:
    match = re.match(r"[`*\s]*([A-Za-z_]\w*)", text, re.ASCII)
    return match[1] if match else ""


def _function(
    state: _State, prototype: Prototype, chapters: _Chapters, supported: Collection[str]
) -> Function:
    """Read the chapter of a first phase."""
    line, content = _chapter_of(state, prototype, chapters)
    reading = _Reading(state, prototype)
    tables = [b for b in content if isinstance(b, Table) and _is_parameter_table(b)]
    if len(tables) > 1:
        raise state.refuse(
            tables[1].line,
            f"a second parameter table of {prototype.function}GetWorkspaceSize (the first is in "
            f"line {tables[0].line}); which one holds?",
        )
    if tables:
        reading.table(tables[0])
    else:
        others = [b for b in content if isinstance(b, Table)]
        reading.prose([b for b in content if isinstance(b, Passage)])
        if not reading.rows:
            at = others[0].line if others else line
            raise state.refuse(
                at, f"no parameter table of {prototype.function}GetWorkspaceSize in its chapter"
            )
    errors: list[ErrorTableRow] = []
    error_place = None
    for block in content:
        if isinstance(block, Table) and not _is_parameter_table(block):
            place = Place(line=block.line, table=block.number)
            if block.header[:1] and re.search("返回码|返回值", block.header[0]):
                error_place = place
                errors += reading.error_table(block)
            else:
                about = "a table beside those of parameters and errors"
                state.leave_open(place, about, "not read", prototype.function)
    if tables:
        reading.notes(content, supported)
        reading.constraints(
            [block for _, _, each in _about("constraints", chapters) for block in each]
        )
    if error_place is None:
        state.leave_open(Place(line=line), "errors", "no error table", prototype.function)
    return Function(
        name=prototype.function,
        prototype=prototype,
        parameters=tuple(reading.parameters()),
        errors=tuple(errors),
        error_table=error_place,
    )


def _chapter_of(
    state: _State, prototype: Prototype, chapters: _Chapters
) -> tuple[int, list[Block]]:
    """Return line and content of the chapter about a prototype's parameters."""
    for title, line, content in chapters:
        match = _FIRST_PHASE.fullmatch(title.strip())
        if match and match[1] == prototype.function:
            return line, content
    names = {parameter.name for parameter in prototype.parameters}
    for title, line, content in chapters:
        # some titles omit GetWorkspaceSize; the rows show which phase it is
        if title.strip() == prototype.function:
            for block in content:
                if isinstance(block, Table) and _is_parameter_table(block):
                    column = _columns(block)["name"]
                    if names <= {_row_name(row.cells[column]) for row in block.rows if row.cells}:
                        return line, content
    raise state.refuse(
        prototype.place.line, f"no chapter {prototype.function}GetWorkspaceSize; truncated page?"
    )


_PROSE_ROW = re.compile(
    r"(?P<name>[A-Za-z_]\w*)\s*[(（][^,，()（）]*[,，]\s*"
    r"(?P<direction>计算输入\|计算输出|计算输入|计算输出|入参|出参|输入|输出)\s*[)）]\s*[:：]",
    re.ASCII,
)


class _Reading:
    """The reading of one function's parameters and errors."""

    def __init__(self, state: _State, prototype: Prototype) -> None:
        self.state = state
        self.prototype = prototype
        self.subject = ""
        self.types = {p.name: p.type for p in prototype.parameters}
        self.rows: dict[str, dict[str, Any]] = {}

    def _open(self, place: Place, about: str, reason: str) -> None:
        self.state.leave_open(place, about, reason, self.prototype.function)

    def _note(
        self, place: Place, chapter: Chapter, text: str, about: str = "", *, understood: bool
    ) -> None:
        function = self.prototype.function
        self.state.note(place, chapter, text, about, function=function, understood=understood)

    # The parameter table.

    def table(self, table: Table) -> None:
        columns, whole = _columns(table), Place(line=table.line, table=table.number)
        for number in range(len(table.header)):
            if number not in columns.values():
                self._open(whole, f"column {number + 1}", "unknown column")
        for row in table.rows:
            place = _row_place(table, row)
            if len(row.cells) != len(table.header):
                raise self.state.refuse(
                    row.line,
                    f"table {table.number}, row {row.number} has "
                    f"{counted(len(row.cells), 'cell')} under "
                    f"{counted(len(table.header), 'title')}; a shifted row cannot be read",
                )
            if row.merged:
                raise self.state.refuse(
                    row.line,
                    f"table {table.number}, row {row.number}: column {min(row.merged) + 1} is "
                    "merged with others; split the cell",
                )
            cells = {name: row.cells[at] for name, at in columns.items()}
            self._table_row(place, cells, row.markers)
        for name in self.types:
            if name not in self.rows:
                self._open(whole, name, "no row of the parameter table")

    def _table_row(
        self, place: Place, cells: Mapping[str, str], markers: tuple[str, ...] | None
    ) -> None:
        name = _row_name(cells["name"])
        if name not in self.types:  # some tables write keepDim as keepdim
            name = {each.lower(): each for each in self.types}.get(name.lower(), name)
        if name in _OF_EVERY_CALL or re.search("aclOpExecutor|workspaceSize", cells["name"]):
            return
        if name not in self.types:
            self._open(place, "a row of the parameter table", "its name is not in the prototype")
            return
        if name in self.rows:
            raise self.state.refuse(place.line, f"a second row for {name}")
        if _misplaced_cells(cells) > 1:
            raise self.state.refuse(
                place.line,
                f"the cells of {name} are not what their columns' titles say; a shifted row "
                "cannot be read",
            )
        if markers is not None:
            self._open(place, name, "the row is for some products only")
        row: dict[str, Any] = {"name": name, "place": place}
        self.rows[name] = row
        direction = re.sub(r"\s", "", phrases.canonical(cells.get("direction", "")))
        if direction in _DIRECTIONS:
            row["direction"], row["optional"] = _DIRECTIONS[direction]
        else:
            self._open(place, f"{name}, direction", "not understood")
        if re.search("可选|Optional", cells["name"]):
            row["optional"] = True
        self._listing_cell(row, "dtype", cells.get("dtype", "-"))
        self._listing_cell(row, "format", cells.get("format", "-"))
        self._rank_cell(row, cells.get("rank", "-"))
        self._contiguity_cell(row, cells.get("non_contiguous", "-"))
        # together, because what stays unread of one may restrict what the other states
        self._remarks(row, f"{cells.get('description', '')}\n{cells.get('remarks', '')}")

    def _listing_cell(self, row: dict[str, Any], aspect: str, text: str) -> None:
        """Read a cell of data types or formats."""
        is_dtype = aspect == "dtype"
        if not _has_value(text):
            return
        if names := phrases.dtype_list(text) if is_dtype else phrases.format_list(text):
            row[f"{aspect}s"] = names
        elif same := phrases.same_as(text, self.types):
            row[f"{aspect}_of"] = same
        elif not is_dtype or self.types[row["name"]] in _TYPED:
            noun = "data types" if is_dtype else "formats"
            self._open(row["place"], f"{row['name']}, {noun}", f"not understood: {quoted([text])}")

    def _rank_cell(self, row: dict[str, Any], text: str) -> None:
        if not _has_value(text):
            return
        if numbers := phrases.rank_list(text):
            row["ranks"] = numbers
        elif dims := phrases.shape_list(text):
            row["shape"], row["ranks"] = dims, (len(dims),)
        elif ranks := phrases.leading_ranks(text):
            row["ranks"] = ranks
            self._note(row["place"], "parameters", text, row["name"], understood=False)
            self._open(
                row["place"],
                f"{row['name']}, dimensions",
                f"ranks understood, not all else: {quoted([text])}",
            )
        elif same := phrases.same_rank(text, self.types):
            row["rank_of"] = same
        elif same := phrases.same_as(text, self.types):
            row["shape_of"] = same
        else:
            self._open(
                row["place"], f"{row['name']}, dimensions", f"not understood: {quoted([text])}"
            )

    def _contiguity_cell(self, row: dict[str, Any], text: str) -> None:
        if _has_value(text):
            non_contiguous = _YES_NO.get(phrases.canonical(text))
            if non_contiguous is None:
                self._open(row["place"], f"{row['name']}, non-contiguous", "not understood")
            row["non_contiguous"] = non_contiguous

    def _remarks(self, row: dict[str, Any], text: str) -> None:
        """Read the sentences of a cell; those that stay unread may restrict the others."""
        name = row["name"]
        agreements: list[phrases.Agreement] = []
        unread: list[str] = []
        quotes: list[str] = []
        for sentence in phrases.sentences(text):
            if not _has_value(sentence):
                continue
            remainder = self._remark(row, sentence, agreements)
            self._note(row["place"], "parameters", sentence, name, understood=not remainder)
            unread += map(phrases.canonical, remainder)
            quotes += [phrases.canonical(sentence)] * bool(remainder)
        if unread:
            self._open(row["place"], f"{name}, remarks", f"not understood: {quoted(quotes)}")
        if any(re.search("轴|其[他余它]|除|倒数|最后", each) for each in unread):
            row.pop("shape_of", None)  # the column of dimensions says less
        for agreement in agreements:
            for aspect in agreement.aspects:
                if not any(re.search(_ABOUT[aspect], each) for each in unread):
                    row.setdefault(f"{aspect}_of", agreement.others[0])

    def _remark(
        self, row: dict[str, Any], sentence: str, agreements: list[phrases.Agreement]
    ) -> list[str]:
        """Read one sentence; return the parts that the row cannot hold."""
        whole = self._statement(row["name"], sentence)
        if whole is not None:
            return [] if self._state(row, whole, agreements) else [sentence]
        parts = [(part, self._statement(row["name"], part)) for part in statements.parts(sentence)]
        unread = [part for part, statement in parts if statement is None]
        # what restricts one part may restrict the others
        if any(
            re.search("当|若|如果|仅|除|外|否则|(?<!同)时|其中|但|可以|或", each) for each in unread
        ):
            return [sentence]
        for part, statement in parts:
            if statement is not None and not self._state(row, statement, agreements):
                unread.append(part)
        return unread

    def _statement(self, name: str, text: str) -> dict[str, Any] | None:
        """Return what a whole sentence states, by field of the row; None if it is unclear."""

        def interval(text: str) -> Interval | None:
            is_tensor = self.types[name] in _TENSORS
            return None if is_tensor else statements.interval(text, name, self.types)

        readers: Sequence[tuple[str, Callable[[str], Any]]] = (
            *_SENTENCES,
            ("rank_of", lambda each: phrases.same_rank(each, self.types)),
            ("larger_than", lambda each: phrases.larger_than(each, self.types)),
            ("agreement", lambda each: phrases.agreement(each, name, self.types)),
            ("paddings", lambda each: statements.padding(each, self.types)),
            ("relations", lambda each: statements.relation(each, name, self.types)),
            ("dtypes_by", lambda each: phrases.dtypes_beside(each, self.types)),
            ("intervals", interval),
        )
        for key, read in readers:
            if (value := read(text)) is not None:
                return {key: value}
        is_common = self.types[name].endswith("List*") and _OF_LIST.fullmatch(
            phrases.canonical(text)
        )
        is_idle = is_common or statements.is_untestable(text)
        return {} if is_idle or statements.is_description(text, self.types) else None

    def _state(
        self,
        row: dict[str, Any],
        statement: Mapping[str, Any],
        agreements: list[phrases.Agreement],
    ) -> bool:
        """Add a statement to a row; return whether the row's columns agree with it."""
        for key, value in statement.items():
            if key == "agreement":
                agreements.append(value)
            elif key in _ADDERS:
                _ADDERS[key](row, value)
            elif key in ("relations", "intervals"):
                row[key] = tuple(dict.fromkeys((*row.get(key, ()), value)))
            elif key in _FACTS:
                row[key] = value
                if key == "larger_than":
                    row.setdefault("shape_of", value)
            elif key == "dtypes" and self.types[row["name"]] not in _TYPED:
                continue
            elif row.setdefault(key, value) is None or set(row[key]) != set(value):
                if key == "dtypes":
                    row[key] = None
                return False
        return True

    # Parameters as list items, as in earlier editions.

    def prose(self, passages: Sequence[Passage]) -> None:
        """Read parameters from items such as ``- x(aclTensor*, input): what it is``.

        In damaged copies an item may begin within the line of the previous one.
        """
        text = "".join(f"{passage.text}\n" for passage in passages)
        lines = [p.line + n for p in passages for n in range(p.text.count("\n") + 1)]
        matches = list(_PROSE_ROW.finditer(text))
        for match, following in zip_longest(matches, matches[1:]):
            name = match["name"]
            if name not in self.types or name in self.rows:
                continue
            place = Place(line=lines[text.count("\n", 0, match.start())])
            row: dict[str, Any] = {"name": name, "place": place}
            row["direction"], row["optional"] = _DIRECTIONS[match["direction"]]
            self.rows[name] = row
            content = text[match.end() : following.start() if following else None]
            self._prose_row(row, re.split("返回值|aclnnStatus", content)[0])

    def _prose_row(self, row: dict[str, Any], text: str) -> None:
        general: list[str] = []
        special: dict[str, tuple[str, ...]] = {}
        for line in re.split(r"\n|(?=- ?\[object)", text):
            products, remainder = self.state.named_products(line)
            dtypes = phrases.prose_dtypes(remainder) if products else None
            if dtypes:
                special |= dict.fromkeys(products, dtypes)
                self._note(row["place"], "parameters", line, row["name"], understood=True)
            else:
                general.append(line.strip().removesuffix("-"))
        for sentence in phrases.sentences("".join(general)):
            conditional = re.search("当|若|如果|时|否则|除|其中", sentence)
            parts = [sentence] if conditional else re.split(r"[,，](?![^()]*\))", sentence)
            for part in parts:
                self._remarks(row, part)
        unread = self.state.mentions_product("".join(general))
        if unread and (special or "dtypes" in row):
            self._open(row["place"], f"{row['name']}, data types", "not understood on all products")
            row["dtypes"] = None
        elif special and "dtypes" not in row:
            row["dtypes"] = max(special.values(), key=len)
            row["dtypes_on"] = {p: v for p, v in special.items() if v != row["dtypes"]}

    # Notes below the table.

    def notes(self, content: Sequence[Block], supported: Collection[str]) -> None:
        """Read notes around the tables on data types and formats of products."""
        self._related(content, supported)
        for place, text, bare, products in _sentences(self.state, content):
            is_title = not phrases.canonical(bare).strip(":。") or _is_common(bare)
            if is_title or text in self.related:
                self._note(place, "parameters", text, understood=True)
                continue
            if self._note_on_lists(bare, products):
                self._note(place, "parameters", text, understood=True)
                continue
            only = phrases.only_here(bare)
            if only is not None and products:
                self._note(place, "parameters", text, understood=True)
                self._restrict(place, [p for p in supported if p not in products], only)
                continue
            restrictions = phrases.restrictions(bare, self.types)
            self._note(place, "parameters", text, understood=bool(restrictions and products))
            if not restrictions or not products:
                self._open(
                    place,
                    "a note below the parameter table",
                    f"not understood: {quoted([phrases.canonical(text)])}",
                )
                self._doubt(place, bare, products)
            for each in restrictions or ():
                self._restrict(place, products, each)

    def _note_on_lists(self, text: str, products: Sequence[str]) -> bool:
        """Read a note on lengths of lists, or on the data types beside those of a list."""
        if beside := phrases.dtypes_beside(text, self.types):
            scalars = [name for name in self.rows if self.types[name] in _SCALARS]
            named = beside.name if beside.name in self.rows else ""
            subject = named or self.subject or next(iter(scalars), "")
            self.subject = subject
            if subject:
                _add_dtypes(self.rows[subject], beside, products)
            return bool(subject)
        longest = phrases.longest_lists(text)
        if longest is None or not products:
            return False
        written = [
            each.name for each in self.prototype.parameters if self.types[each.name] in _TENSORS
        ]
        for name in longest.names:
            # the formula's name of the output
            row = self.rows.get(name) or self.rows[written[-1]]
            row.setdefault("length_on", {}).update(dict.fromkeys(products, longest.length))
            self._exclude(row, longest.excluded, products)
        return True

    def _exclude(
        self, row: dict[str, Any], dtypes: Collection[str], products: Sequence[str]
    ) -> None:
        """Take data types from a row on some products, and from those that follow it."""
        if not dtypes:
            return
        for each in (row, *(e for e in self.rows.values() if e.get("dtype_of") == row["name"])):
            left = tuple(name for name in each.get("dtypes") or () if name not in dtypes)
            each.setdefault("dtypes_on", {}).update(dict.fromkeys(products, left))

    def constraints(self, content: Sequence[Block]) -> None:
        """Read restrictions of data types among the constraints."""
        for place, _, bare, products in _sentences(self.state, content):
            for each in phrases.restrictions(bare, self.types) or () if products else ():
                self._restrict(place, products, each)

    def _related(self, content: Sequence[Block], supported: Collection[str]) -> None:
        """Read notes on several parameters, if they say the same of all products together."""
        on: dict[tuple[str, Relation], set[str]] = {}
        self.related: set[str] = set()
        for _, text, bare, products in _sentences(self.state, content):
            first = next((word for word in phrases.words_of(bare) if word in self.rows), "")
            relation = statements.relation(bare, first, self.types) if first else None
            if relation is not None:
                on.setdefault((first, relation), set()).update(products or supported)
                self.related.add(text)
        for (name, relation), covered in on.items():
            if covered >= set(supported):
                row = self.rows[name]
                row["relations"] = (*row.get("relations", ()), relation)
            else:
                self.related.clear()

    def _doubt(self, place: Place, text: str, products: Sequence[str]) -> None:
        """Leave data types open on products for which a note contradicts them."""
        if not phrases.lists_data_types(text):
            return
        words = set(re.findall(r"\w+", text, re.ASCII))
        for name in [n for n in self.rows if n in words] or self.rows:
            if self.types[name] in _TYPED and self.rows[name].get("dtypes"):
                self._open(place, f"{name}, dtypes", "a note that is not understood")
                self.rows[name].setdefault("dtypes_on", {}).update(dict.fromkeys(products, ()))

    def _restrict(self, place: Place, products: Sequence[str], found: phrases.Restriction) -> None:
        """Apply a note on data types or formats of products."""
        key = "dtypes" if found.aspect == "dtype" else "formats"
        for name in found.names or [n for n in self.rows if self.types[n] in _TYPED]:
            listed: tuple[str, ...] | None = self.rows.get(name, {}).get(key)
            values = found.of(listed or ())
            if listed is None or values is None:
                if found.names or listed is not None:
                    self._open(place, f"{name}, {key}", "a note that does not go with its row")
            elif values != listed:
                special = self.rows[name].setdefault(f"{key}_on", {})
                for product in products:
                    left = found.of(special.get(product, ())) if found.excluded else None
                    if left is not None:  # notes exclude one after another
                        special[product] = left
                    elif special.setdefault(product, values) != values:
                        self._open(place, f"{name}, {key} on {product}", "several notes")
                        special.pop(product)

    # The error table.

    def error_table(self, table: Table) -> Iterator[ErrorTableRow]:
        status = ""
        count: dict[str, int] = {}
        for row in table.rows:
            place = _row_place(table, row)
            code = next((c for c in row.cells if c in STATUSES), "")
            number = next((c for c in row.cells if re.fullmatch(r"\d{6}", c)), "")
            texts = [c for c in row.cells if c not in (code, number)]
            if code or number:
                status = self._status(place, code, number)
            elif not status or len(row.cells) > 1:
                status = ""
                self._open(place, "a row of the error table", "no status")
            # rows without text have only a status and its code, and their own rows follow
            if not status or not texts:
                continue
            if len(texts) > 1:  # some pages do not end a row before the next one
                others = {each.cells[-1] for each in table.rows if each is not row and each.cells}
                texts = [text for text in texts if text not in others]
            if len(texts) != 1:
                self._open(place, "a row of the error table", "several descriptions")
                continue
            count[status] = count.get(status, 0) + 1
            yield self._error_row(place, status, count[status], texts[0])

    def _error_row(self, place: Place, status: str, number: int, text: str) -> ErrorTableRow:
        conditions = phrases.conditions(text, self.types)
        if not conditions:
            self._open(place, f"{status}, row {number}", f"not understood: {quoted([text])}")
        self._note(place, "errors", text, understood=bool(conditions))
        return ErrorTableRow(
            status=status,
            number=number,
            conditions=conditions,
            place=place,
            fingerprint=fingerprint(text),
            interval=self._valid_values(text, conditions),
        )

    def _valid_values(self, text: str, conditions: Sequence[Condition]) -> Interval | None:
        """Return the values that a row leaves to an attribute; they count if its row has none."""
        if len(conditions) != 1 or conditions[0].guarded:
            return None
        name = next(iter(conditions[0].parameters), "")
        if conditions[0].kind not in ("value_outside", "length_outside") or name not in self.rows:
            return None
        interval = statements.valid_values(text, name, self.types)
        if interval is not None and not self.rows[name].get("intervals"):
            self.rows[name]["intervals"] = (interval,)
        return interval

    def _status(self, place: Place, code: str, number: str) -> str:
        """Return the status that a row of the error table states; empty if it is unknown."""
        status = code or next((n for n, c in STATUSES.items() if str(c) == number), "")
        if not status:
            self._open(place, "a row of the error table", f"unknown code {number}")
        elif number and str(STATUSES[status]) != number:
            self._open(place, f"{code}, code", "not the code of that status")
        return status

    def parameters(self) -> Iterator[PageParameter]:
        """Yield the parameters in the order of the prototype, even without a row."""
        for relation in [r for row in self.rows.values() for r in row.get("relations", ())]:
            if row := self.rows.get(relation.subject):
                row["relations"] = (*row.get("relations", ()), relation)
        for parameter in self.prototype.parameters:
            row = self.rows.get(
                parameter.name, {"name": parameter.name, "place": self.prototype.place}
            )
            yield PageParameter(
                **{key: value for key, value in row.items() if value is not None},
                type=parameter.type,
                const=parameter.const,
            )


_SENTENCES: Sequence[tuple[str, Callable[[str], Any]]] = (
    ("empty", phrases.emptiness),
    ("optional", phrases.optionality),
    ("non_contiguous", phrases.contiguity),
    ("dtypes", phrases.prose_dtypes),
    ("formats", phrases.prose_formats),
    ("ranks", phrases.prose_ranks),
    ("shape", phrases.prose_shape),
    ("keeps_axes", statements.keeps_axes),
    ("is_index", statements.is_index),
    ("pooled", statements.pooled),
    ("length", phrases.longest_list),
    ("is_single", phrases.is_single),
)
"""Fields of rows, and what reads them from a whole sentence."""

_FACTS = (
    "empty",
    "optional",
    "non_contiguous",
    "keeps_axes",
    "is_index",
    "pooled",
    "shape",
    "rank_of",
    "larger_than",
    "length",
    "is_single",
)
"""Fields of rows that remarks alone state."""

_OF_LIST = re.compile(
    "该参数中所有Tensor的数据类型保持一致。?|该参数中Tensor的数量与(?:入参)?\\w+一致。?"
    "|\\w+的TensorList长度需要与\\w+的TensorList长度相等。?|元素个数与\\w+中Tensor的个数相等。?",
    re.ASCII,
)
"""What all lists promise."""

_TENSORS = ("aclTensor*", "aclTensorList*")
_SCALARS = ("aclScalar*", "aclScalarList*")

_TYPED = ("aclTensor*", "aclScalar*", "aclTensorList*", "aclScalarList*")
"""C types that do not determine the data type."""

_ABOUT = {"dtype": "数据类型|dtype", "format": "格式|format", "shape": "shape|维|轴|元素个数|size"}


def _add_dtypes(row: dict[str, Any], found: phrases.DtypesBeside, products: Sequence[str]) -> None:
    """Add data types beside those of another parameter: everywhere, or on some products."""
    row["dtypes_by_of"] = found.source
    by_dtype = {dtype: found.dtypes or (dtype,) for dtype in found.beside}
    row.setdefault("dtypes_by", {}).update({} if products else by_dtype)
    for product in products:
        row.setdefault("dtypes_by_on", {}).setdefault(product, {}).update(by_dtype)


def _add_paddings(row: dict[str, Any], paddings: Sequence[Relation]) -> None:
    row["relations"] = (*row.get("relations", ()), *paddings)


_ADDERS: Mapping[str, Callable[[dict[str, Any], Any], None]] = {
    "dtypes_by": lambda row, found: _add_dtypes(row, found, ()),
    "paddings": _add_paddings,
}
"""What adds a statement to a row, by field."""


def _has_value(text: str) -> bool:
    return phrases.canonical(text).strip("。.;") not in _NOTHING


def _misplaced_cells(cells: Mapping[str, str]) -> int:
    """Return the number of cells with content of another column."""
    dtype, form, rank = (cells.get(key, "-") for key in ("dtype", "format", "rank"))
    return sum(
        (
            phrases.format_list(dtype) is not None or phrases.rank_list(dtype) is not None,
            phrases.dtype_list(form) is not None or phrases.rank_list(form) is not None,
            phrases.dtype_list(rank) is not None or phrases.format_list(rank) is not None,
            phrases.canonical(cells.get("direction", "-")) not in ("-", "")
            and re.search("输入|输出|属性|入参|出参", cells.get("direction", "")) is None,
            phrases.canonical(cells.get("non_contiguous", "-")) not in (*_YES_NO, *_NOTHING),
        )
    )


def _sentences(
    state: _State, content: Sequence[Block]
) -> Iterator[tuple[Place, str, str, tuple[str, ...]]]:
    """Yield each sentence with its place, its text without products, and its products.

    An item inherits the products of the surrounding item or markers.
    """
    above: dict[int, tuple[str, ...]] = {}
    for block in content:
        if not isinstance(block, Passage):
            continue
        above = {depth: names for depth, names in above.items() if depth < block.depth}
        marked = state.marked_products(block.markers or ())
        for text in phrases.sentences(block.text):
            products, bare = state.named_products(text)
            if products:
                above[block.depth] = products
            inherited = next((above[depth] for depth in sorted(above, reverse=True)), marked)
            place = Place(line=block.line)
            if products and marked and set(products) != set(marked):
                state.leave_open(place, "products of a passage", "its names and marker differ")
            yield place, text, bare, products or inherited


def _with_determinism(
    state: _State, functions: Sequence[Function], chapters: _Chapters, supported: Sequence[str]
) -> tuple[Function, ...]:
    """Read statements about determinism in the constraints; the rest stays unread."""
    levels: dict[str, Determinism] = {}
    place = Place(line=chapters[-1][1])
    content = [block for _, _, each in _about("constraints", chapters) for block in each]
    for place, text, bare, products in _sentences(state, content):
        level = phrases.determinism(bare)
        is_restriction = products and phrases.restrictions(bare, _names_of(functions))
        understood = level is not None or bool(is_restriction)
        state.note(place, "constraints", text, understood=understood)
        if level is not None:
            for product in products or supported:
                if levels.setdefault(product, level) != level:
                    state.leave_open(place, f"determinism on {product}", "several statements")
                    levels.pop(product)
        elif "确定性" in bare and not _is_common(bare):
            state.leave_open(place, "determinism", f"not understood: {quoted([bare])}")
    _note_tables(state, "constraints", content)
    missing = [product for product in supported if product not in levels]
    if missing and any("确定性" in each.text for each in state.sentences):
        state.leave_open(place, "determinism", f"nothing understood on {', '.join(missing)}")
    return tuple(
        each.model_copy(update={"determinism": {p: levels[p] for p in supported if p in levels}})
        for each in functions
    )


def _names_of(functions: Sequence[Function]) -> set[str]:
    return {parameter.name for each in functions for parameter in each.parameters}


def _note_passages(state: _State, content: Sequence[Block]) -> None:
    """Collect the sentences about the function; a formula is one sentence."""
    for block in content:
        if isinstance(block, Passage):
            whole = [block.text] if "$$" in block.text else phrases.sentences(block.text)
            for text in whole:
                state.note(Place(line=block.line), "function", text, understood=False)
    _note_tables(state, "function", content)


def _note_tables(state: _State, chapter: Chapter, content: Sequence[Block]) -> None:
    for block in content:
        if isinstance(block, Table):
            place = Place(line=block.line, table=block.number)
            state.leave_open(place, f"{chapter}, a table", "not read")
            for row in block.rows:
                text = " | ".join(row.cells)
                state.note(_row_place(block, row), chapter, text, understood=False)

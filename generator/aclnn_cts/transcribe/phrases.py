# SPDX-License-Identifier: Apache-2.0
"""Meaning of a page's sentences.

Patterns match only whole sentences, so that no exception is overlooked: a sentence with additions
("half of", "except axis dim") matches none. Rows of error tables are split into statements. Some
are recognised by key words, but only if the row has no unknown word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from aclnn_cts.spec.data_types import FORMATS
from aclnn_cts.spec.models import Determinism
from aclnn_cts.transcribe.page_model import Condition, ConditionKind

DTYPE_WORDS = {
    "FLOAT": "float32",
    "FLOAT32": "float32",
    "FP32": "float32",
    "FLOAT16": "float16",
    "FP16": "float16",
    "BFLOAT16": "bfloat16",
    "BF16": "bfloat16",
    "DOUBLE": "double",
    "FLOAT64": "double",
    "BOOL": "bool",
    "COMPLEX64": "complex64",
    "COMPLEX128": "complex128",
    "COMPLEX32": "complex32",
    "HIFLOAT8": "hifloat8",
    "HIF8": "hifloat8",
    "FLOAT8_E5M2": "float8_e5m2",
    "FLOAT8_E4M3FN": "float8_e4m3fn",
    "FLOAT8_E8M0": "float8_e8m0",
    "FLOAT4_E2M1": "float4_e2m1",
    "FLOAT4_E1M2": "float4_e1m2",
    "STRING": "string",
    **{
        f"{sign}INT{bits}": f"{sign.lower()}int{bits}"
        for sign in ("", "U")
        for bits in (8, 16, 32, 64)
    },
    "INT4": "int4",
}
"""Data types: the pages' names, and the specs'."""

NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_AND = r"[、,/和与及以或者跟]{1,3}"
_REMARK = r"(?:\((?:非空时|若存在|训练场景下)\))?"
NAMES = rf"{NAME}{_REMARK}(?:{_AND}{NAME}{_REMARK})*"
_DTYPE = "(?:" + "|".join(sorted(DTYPE_WORDS, key=len, reverse=True)) + r")(?![A-Za-z0-9_])"
_DTYPE_LIST = rf"{_DTYPE}(?:(?:、|,|/|和|或|及)+{_DTYPE})*"
_FORMAT = "(?:" + "|".join(sorted(FORMATS, key=len, reverse=True)) + r")(?![A-Za-z0-9_])"
_FORMAT_LIST = rf"{_FORMAT}(?:(?:、|,|/|和|或|及)+{_FORMAT})*"


def canonical(text: str) -> str:
    """Return text in one spelling: ASCII punctuation, no markup, spaces only between words."""
    folded = unicodedata.normalize("NFKC", text).replace("≤", "<=").replace("≥", ">=")
    unlinked = re.sub(r"\[([^\[\]]*)\]\([^()]*\)|\.md\)+", r"\1", folded)
    bare = re.sub(r"[`$]+|\*\*|\[object Object\]", "", unlinked)
    bare = re.sub(r"\s+", " ", bare).strip()
    return re.sub(r"(?<![A-Za-z0-9_]) | (?![A-Za-z0-9_])", "", bare)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text as they are written; a line break ends one, too."""
    parts = re.split(r"(?<=[。;；])(?![)）])|\n", text)
    return [part.strip() for part in parts if part.strip(" 。；;-")]


def _strip(text: str) -> str:
    return re.sub(r"^[-·•]+\s*", "", canonical(text)).rstrip("。;.,:")


def dtype_list(text: str) -> tuple[str, ...] | None:
    """Return the data types that a cell lists; None for any other content."""
    names = _strip(text)
    if not re.fullmatch(_DTYPE_LIST, names, re.IGNORECASE):
        return None
    return tuple(dict.fromkeys(DTYPE_WORDS[name.upper()] for name in words_of(names)))


def format_list(text: str) -> tuple[str, ...] | None:
    """Return the formats that a cell lists; None for any other content."""
    names = _strip(text)
    if not re.fullmatch(_FORMAT_LIST, names):
        return None
    return tuple(dict.fromkeys(words_of(names)))


def words_of(text: str) -> list[str]:
    return re.findall(NAME, text)


_DIM = rf"{NAME}|\d+"
_RANK_GREATEST = 64


def rank_list(text: str) -> tuple[int, ...] | None:
    """Return the ranks that a cell lists; None for any other content."""
    numbers = re.sub(r"^(?:维度)?支持|维$", "", _strip(text)).replace("<=", "小于等于")
    numbers = re.sub(r"^不支持(\d+)维以上$", r"不超过\1", numbers)
    # An axis of no elements is never listed, so that [0, 8] is no shape.
    if match := re.fullmatch(r"(\d+)[-~至](\d+)|\[(0),([1-9])\]", numbers):
        low, high = (int(number) for number in match.groups() if number)
        return tuple(range(low, high + 1)) if low <= high <= _RANK_GREATEST else None
    if match := re.fullmatch(r"(?:不大于|不高于|小于等于|不超过)(\d+)", numbers):
        return tuple(range(int(match[1]) + 1)) if int(match[1]) <= _RANK_GREATEST else None
    if re.fullmatch(r"\d+(?:[、,/或]\d+)*", numbers):
        ranks = tuple(sorted({int(number) for number in re.findall(r"\d+", numbers)}))
        return ranks if ranks[-1] <= _RANK_GREATEST else None
    return None


def shape_list(text: str) -> tuple[str, ...] | None:
    """Return the dimensions that a cell lists, as in ``(N, C)``; None for any other content."""
    match = re.fullmatch(rf"(?:shape)?为?[(\[]((?:{_DIM})(?:,(?:{_DIM}))*),?[)\]]", _strip(text))
    return tuple(match[1].split(",")) if match else None


def leading_ranks(text: str) -> tuple[int, ...] | None:
    """Return the ranks at the start of a cell, as in ``(N, C) or (C)`` or ``2-8, of which``."""
    first = re.split(r"[,，](?=其中|且)", text.split("\n", maxsplit=1)[0], maxsplit=1)[0]
    if ranks := rank_list(first):
        return ranks
    dims = rf"\((?:{_DIM})(?:,(?:{_DIM}))*,?\)"
    numbers = _strip(first).removeprefix("为")
    if not re.fullmatch(rf"{dims}(?:(?:或者|或|、){dims})*", numbers):
        return None
    lists = (shape_list(each) or () for each in re.findall(dims, numbers))
    return tuple(sorted({len(each) for each in lists}))


_ASPECTS = {
    "数据类型": "dtype",
    "类型": "dtype",
    "dtype": "dtype",
    "type": "dtype",
    "shape": "shape",
    "数据格式": "format",
    "格式": "format",
    "format": "format",
}
_ASPECT = r"(?:数据类型|(?<!数据)类型|dtype|(?<![A-Za-z])type|shape|数据格式|格式)"
_ASPECT_LIST = rf"{_ASPECT}(?:(?:、|,|和|与|及|以及)+{_ASPECT})*"
_ROLE = r"(?:(?:计算|传入的)?(?:输入|输出)参?|入参|出参|参数|张量)*"
MUST = r"(?:均|都|也)?(?:需要|需|必须|应|要|默认)?(?:均|都)?"
EQUAL = r"(?:保持|完全)?(?:一致|相同|一样|相等|完全一致)"
TO = r"(?:与|和|同|跟)"
_OWN = r"(?:输出的?|输入的?|其|数据(?=shape))?"


@dataclass(frozen=True)
class Agreement:
    """A parameter has the data type, format or shape of another one.

    Attributes:
        aspects: ``dtype``, ``format``, ``shape``.
        others: The parameters that it agrees with.
    """

    aspects: tuple[str, ...]
    others: tuple[str, ...]


def agreement(text: str, name: str, known: Collection[str]) -> Agreement | None:
    """Return the agreement with other parameters that a whole sentence states."""
    phrase = re.sub("^并?且", "", _strip(text))
    subject = rf"(?:{_OWN}|(?:{_ROLE}{re.escape(name)}的?)?)"
    forms = (
        rf"{subject}(?P<a>{_ASPECT_LIST}){MUST}{TO}{_ROLE}(?P<n>{NAMES})"
        rf"(?:的(?P<b>{_ASPECT_LIST}))?{MUST}{EQUAL}",
        rf"{subject}(?P<a>{_ASPECT_LIST})同{_ROLE}(?P<n>{NAMES})",
        rf"{MUST}{TO}{_ROLE}(?P<n>{NAMES})的?(?P<a>{_ASPECT_LIST}){MUST}{EQUAL}",
        rf"{_ROLE}(?P<n>{NAMES})的?(?P<a>{_ASPECT_LIST}){MUST}{EQUAL}",
    )
    for number, form in enumerate(forms):
        match = re.fullmatch(form, phrase)
        if match is None:
            continue
        aspects = _aspects(match["a"])
        if "b" in match.re.groupindex and match["b"] and _aspects(match["b"]) != aspects:
            return None
        names = words_of(match["n"])
        if not set(names) <= set(known):
            return None
        if number == 3 and name not in names:
            return None
        others = tuple(dict.fromkeys(each for each in names if each != name))
        return Agreement(aspects, others) if others else None
    return None


def _aspects(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_ASPECTS[each] for each in re.findall(_ASPECT, text)))


def same_as(text: str, known: Collection[str]) -> str | None:
    """Return the parameter that a cell refers to, as in ``与self保持一致``; None if none."""
    phrase = re.sub(r"\((.*)\)$", "", _strip(text))
    aspect = r"(?:数据类型|数据格式|shape)?"
    forms = (
        rf"{aspect}{MUST}{TO}{_ROLE}({NAME})(?:的?{_ASPECT})?{MUST}{EQUAL}",
        rf"{aspect}同{_ROLE}({NAME})(?:\.shape)?",
    )
    for form in forms:
        if (match := re.fullmatch(form, phrase)) and match[1] in known:
            return match[1]
    return None


def larger_than(text: str, known: Collection[str]) -> str | None:
    """Return the parameter that has at most as many elements; None for any other content."""
    form = rf"shape size大于等于{_ROLE}({NAME})的shape size"
    match = re.fullmatch(form, _strip(text))
    return match[1] if match and match[1] in known else None


def longest_list(text: str) -> int | None:
    """Return how many tensors a list may have, if a sentence states it."""
    form = r"(?:TensorList)?支持包含的(?:最大)?Tensor个数为(?:1-)?(\d+)|支持的最大长度为(\d+)个"
    match = re.fullmatch(form, _strip(text))
    return int(match[1] or match[2]) if match else None


@dataclass(frozen=True)
class Longest:
    """How many tensors lists may have, and data types that they do not have."""

    names: tuple[str, ...]
    length: int
    excluded: tuple[str, ...]


def longest_lists(text: str) -> Longest | None:
    """Return what a note says of the lengths of the lists that it names."""
    form = (
        rf"(?P<n>{_ROLE}{NAME}(?:{_AND}{_ROLE}{NAME})*)支持(?:包含)?的最大(?:Tensor个数|长度)均?为(?P<k>\d+)个?"
        rf"(?:,且不支持(?P<v>{_DTYPE_LIST}))?"
    )
    match = re.fullmatch(form, _strip(text), re.IGNORECASE)
    if match is None:
        return None
    return Longest(tuple(words_of(match["n"])), int(match["k"]), dtype_list(match["v"] or "") or ())


@dataclass(frozen=True)
class DtypesBeside:
    """The data types of a parameter beside some of another one.

    Attributes:
        name: The parameter; empty if the sentence does not name it.
        source: The other one.
        beside: The data types of that one; none in the sentence before those that state them.
        dtypes: Those that go with each of them; none if they are the same.
    """

    name: str
    source: str
    beside: tuple[str, ...] = ()
    dtypes: tuple[str, ...] = ()


_BESIDE = (
    rf"(?:{_ROLE}(?P<n>{NAME})的?)?(?:数据类型(?:(?:仅|只)?支持{_DTYPE_LIST},且)?)?{TO}{_ROLE}(?P<x>{NAME})"
    r"的?数据类型(?:具有|存在)(?:一定)?的?(?:一定)?对应关系(?:,且数值不超过\w+对应数据类型的数值范围)?",
    rf"当{_ROLE}(?P<x>{NAME})的数据类型为(?P<d>{_DTYPE_LIST})时,(?:{_ROLE}(?P<n>{NAME})的)?数据类型"
    rf"(?:(?:仅|只)?支持(?P<v>{_DTYPE_LIST})|{TO}{_ROLE}(?P=x)的数据类型保持一致)",
)


def dtypes_beside(text: str, known: Collection[str]) -> DtypesBeside | None:
    """Return what a sentence says of data types that go with those of another parameter."""
    for form in _BESIDE:
        match = re.fullmatch(form, _strip(text), re.IGNORECASE)
        if match and match["x"] in known:
            groups = match.groupdict()
            lists = (dtype_list(groups.get(key) or "") or () for key in "dv")
            return DtypesBeside(match["n"] or "", match["x"], *lists)
    return None


def is_single(text: str) -> bool | None:
    """Whether a sentence says that a tensor has one element."""
    return True if re.fullmatch(r"元素个数为1|仅包含一个元素", _strip(text)) else None


def same_rank(text: str, known: Collection[str]) -> str | None:
    """Return the parameter that has as many dimensions; None for any other content."""
    rank = "(?:维度|维数)数?量?"
    names = rf"({NAME})(?:{_AND}{NAME})*"
    form = rf"(?:shape)?的?{rank}{MUST}{TO}{_ROLE}{names}(?: ?(?:shape)?的?{rank})?{MUST}{EQUAL}"
    match = re.fullmatch(form, _strip(text))
    return match[1] if match and match[1] in known else None


def emptiness(text: str) -> bool | None:
    """Return a sentence's statement about empty tensors, if it is one."""
    return _support("(?:传入)?空(?:tensor|张量)(?:场景)?", text)


def _support(what: str, text: str) -> bool | None:
    match = re.fullmatch(rf"(不)?支持{what}", _strip(text), re.IGNORECASE)
    return None if match is None else match[1] is None


_OPTIONAL = "可选(?:输入参数|输出参数|参数|输入|输出|属性|入参|出参|的)"


def optionality(text: str) -> bool | None:
    """Return whether a sentence states that a parameter is optional."""
    phrase = _strip(text)
    may_be_null = rf"(?:{_OPTIONAL},?)?(?:支持|可以?)(?:传入?|为)?(?:空指针|nullptr|空)"
    if re.fullmatch(rf"{may_be_null}|{_OPTIONAL}", phrase):
        return True
    if re.fullmatch(r"不支持(?:传入)?(?:空指针|nullptr)|必选(?:参数|输入|输出|属性)", phrase):
        return False
    return None


def contiguity(text: str) -> bool | None:
    """Return a sentence's statement about non-contiguous tensors."""
    return _support("非连续的?(?:tensor|张量)?", text)


def _with_digits(text: str) -> str:
    """Return a text with the numbers of dimensions in digits: 一维 is 1维."""
    digits = str.maketrans("零一二两三四五六七八", "0122345678")
    number = "(?<![某第前后任意每])[零一二两三四五六七八](?=维)"
    return re.sub(number, lambda match: match[0].translate(digits), text)


def prose_ranks(text: str) -> tuple[int, ...] | None:
    """Return the ranks that a sentence states, as in ``shape维度0至8维``."""
    phrase = _with_digits(_strip(text))
    if "维" not in phrase:
        return None
    subject = r"(?:shape|数据|非连续的Tensor)?的?(?:最大)?(?:维度|维数)?数?(?:均|都)?"
    for form in (
        rf"{subject}(?:支持|为|需要?为|范围为?)?(\d+[-~至到]\d+)维?度?",
        rf"{subject}(?:最大|不能|不支持|需要?|必须)*((?:不?超过|不?大于|不?高于|小于等于)\d+)维?",
        rf"{subject}不支持(\d+)维以上",
        rf"{subject}(?:支持|为)?(\d+维?[-~至到]\d+)维",
        rf"{subject}(?:需要?|必须|仅支持|只支持|只能|支持|应)?(?:为|是)?(\d+维?(?:[、或和/]+\d+)*)维(?:张量|Tensor)?",
    ):
        if match := re.fullmatch(form, phrase, re.IGNORECASE):
            bound = re.sub("维?[到~至-]", "-", match[1])
            bound = re.sub("维?[、或和/]+", "、", bound)
            if "以上" in phrase:
                bound = f"不超过{bound}"
            return rank_list(re.sub("^(?:超过|大于|高于|不高于)", "不超过", bound))
    return None


def prose_dtypes(text: str) -> tuple[str, ...] | None:
    """Return the data types that a sentence lists, as in ``数据类型支持…``."""
    match = re.fullmatch(
        rf"数据类型(?:仅|只)?(?:支持|为)({_DTYPE_LIST})", _strip(text), re.IGNORECASE
    )
    return dtype_list(match[1]) if match else None


def prose_shape(text: str) -> tuple[str, ...] | None:
    """Return the dimensions that a sentence lists, as in ``shape为[1]``."""
    match = re.fullmatch(
        r"(?:输出|数据)?的?shape(?:固定|要求)?(?:为|是)([(\[].*[)\]])", _strip(text)
    )
    return shape_list(match[1]) if match else None


def prose_formats(text: str) -> tuple[str, ...] | None:
    """Return the formats that a sentence lists, as in ``数据格式支持ND``."""
    form = rf"(?:支持)?数据格式(?:仅|只)?(?:支持|为)({_FORMAT_LIST})"
    match = re.fullmatch(form, _strip(text))
    return format_list(match[1]) if match else None


@dataclass(frozen=True)
class Restriction:
    """A note about data types or formats on some products.

    Attributes:
        aspect: ``dtype`` or ``format``.
        names: The named parameters.
        excluded: Whether the values are the unsupported ones.
        values: Data types or formats.
        added: Whether the values are supported besides those of the row.
    """

    aspect: str
    names: tuple[str, ...]
    excluded: bool
    values: tuple[str, ...]
    added: bool = False

    def of(self, listed: tuple[str, ...]) -> tuple[str, ...] | None:
        """Return the remaining values of a row's list; None if they are not clear.

        A note without a parameter does not apply to a row that has none of its values.
        """
        shared = set(self.values) & set(listed)
        if self.added:
            return tuple(dict.fromkeys((*listed, *self.values)))
        if self.excluded:
            return tuple(each for each in listed if each not in shared) or None
        if not shared and not self.names:
            return listed
        if shared < set(self.values):
            return None
        return tuple(each for each in listed if each in shared)


_NOTE_ROLE = r"(?:输入参数|输出参数|可选参数|参数|入参|出参|输入|输出)?"
_SUBJECT = rf"(?P<n>{_NOTE_ROLE}{NAME}(?:[、,和与及]+{_NOTE_ROLE}{NAME})*)"
_NOTE = re.compile(
    rf"(?:{_SUBJECT}(?:[一二三四五六七八九]个(?:输入|参数))?的?)??"
    rf"(?P<a>数据类型|数据格式|)(?P<m>仅支持|只支持|不支持|(?:额外|还|也)?支持)(?:为)?"
    rf"(?P<v>{_DTYPE_LIST}|{_FORMAT_LIST})(?:数据类型|类型|数据格式|格式)?",
    re.IGNORECASE,
)


def lists_data_types(text: str) -> bool:
    """Whether a note lists the supported data types."""
    return bool(re.fullmatch(r"[^当若时]*支持[^当若时]*", canonical(text))) and bool(
        re.search(_DTYPE, canonical(text))
    )


def restrictions(text: str, known: Collection[str]) -> tuple[Restriction, ...] | None:
    """Return a note's statement about data types and formats; None if it has further content.

    Args:
        text: The sentence, without the products in front of it.
    """
    phrase = _strip(text)
    if values := dtype_list(phrase):
        return (Restriction("dtype", (), excluded=False, values=values),)
    phrase = re.sub(rf",(?={_DTYPE}|{_FORMAT})", "、", phrase)
    restrictions_of_text: list[Restriction] = []
    names: tuple[str, ...] = ()
    for part in re.split(",", phrase):
        match = _NOTE.fullmatch(part)
        if match is None:
            return None
        if match["n"]:
            names = tuple(words_of(match["n"]))
        if not set(names) <= set(known):
            return None
        values = dtype_list(match["v"])
        formats = format_list(match["v"])
        if (values is None) == (formats is None) or (match["a"] == "数据类型" and values is None):
            return None
        aspect = "format" if values is None else "dtype"
        restrictions_of_text.append(
            Restriction(
                aspect,
                names,
                excluded=match["m"] == "不支持",
                values=values or formats or (),
                added=match["m"][0] in "额还也",
            )
        )
    return tuple(restrictions_of_text)


_ONLY_HERE = re.compile(rf"(?P<v>{_DTYPE_LIST})(?:数据类型|类型)?仅支持该产品", re.IGNORECASE)


def only_here(text: str) -> Restriction | None:
    """Return the data types that all products but those of a note lack, or None."""
    match = _ONLY_HERE.fullmatch(_strip(text))
    values = dtype_list(match["v"]) if match else None
    return None if values is None else Restriction("dtype", (), excluded=True, values=values)


_DETERMINISM = re.compile(
    r"(?:确定性(?:计算|说明):)?(?:(?:aclnn\w+)(?:&aclnn\w+)*)?默认为?(?:支持)?(?P<not>非)?确定性(?:实现|计算)?"
    r"(?P<rest>,.*)?",
    re.ASCII,
)


def determinism(text: str) -> Determinism | None:
    """Return a sentence's statement about determinism (without products), or None."""
    match = _DETERMINISM.fullmatch(_strip(text))
    if match is None:
        return None
    tail = match["rest"] or ""
    if match["not"] is None:
        addition = r"(?:,暂不支持非确定性实现(?:,即便通过确定性计算配置也不会生效)?)?"
        return "deterministic" if re.fullmatch(addition, tail) else None
    if re.fullmatch(r",支持通过aclrtCtxSetSysParamOpt开启确定性", tail):
        return "switchable"
    return "unpromised" if re.fullmatch(r"(?:,不支持通过\w+开启确定性)?", tail, re.ASCII) else None


# Rows of error tables. Each reader below gets one statement: `_split` has taken rows apart.

_FILLER = re.compile(
    "(?:传入的|传入|输入参数|输出参数|必选参数|参数|入参|输入张量|输出张量|输入|输出|张量|属性|变量)+"
    rf"(?={NAME})(?!tensor)",
    re.IGNORECASE,
)
_GUARD = re.compile(r"(?:当|若|如果)[^,]+?(?:时,?|,)(?=.)|[^,]*?[^同]时,(?=.)")
_NOT_NULL = re.compile(
    rf"(?:当|若|如果)?(?P<n>{NAMES})(?:不为空指针|非空指针|不为空|非空)(?:且|时,?|,)(?=.)"
    rf"|(?P<m>{NAME})(?:\[\d\])?为(?:True|true|False|false)且(?=.)"
)
_ONE_OF_ALL = (
    r"(?:必选|可选|全部|多个|所有)?(?:输入|输出|入参|出参)(?:参数| ?tensor|张量)?(?:之间)?"
)
_ALL = rf"{_ONE_OF_ALL}(?:(?:或者|或|和|、|与|/|,)?{_ONE_OF_ALL}){{0,2}}"
_PART = (
    r"(?:数据类型|(?<!数据)类型|数据格式|格式|维度数|维度|维数|参数取值|取值"
    r"|(?<![A-Za-z0-9_])(?:dtype|type|format|shape|size大小|size))"
)
_PARTS = rf"{_PART}(?:(?:、|,|/|和|与|及|以及|或者|或)+{_PART})*"
_WHOSE = rf"(?P<n>{NAMES}|{_ALL}|)(?:数据|参数|tensor)?,?的?"
_OUTSIDE = re.compile(
    rf"{_WHOSE}(?P<a>{_PARTS})(?:均|都)?"
    r"(?:不在[^,\[\d]*范围(?:之)?内?|不支持|不是支持的[^,]*|不正确|不在(?:上述|以上)?参数说明[^,]*)",
    re.IGNORECASE,
)
_NOT_DTYPE = re.compile(
    rf"(?P<n>{NAMES})(?:不是支持的数据类型|不在支持的数据类型范围之?内|的?(?:数据)?类型不(?:是|为)(?:int|{_DTYPE_LIST}))",
    re.IGNORECASE,
)
_NOT_FORMAT = re.compile(rf"(?P<n>{NAMES})的?(?:format|数据格式)不是{_FORMAT_LIST}(?:这.种format)?")
_UNEQUAL = r"(?:完全)?(?:不一致|不一样|不同|不相同|不相等|不匹配|不是完全相同的(?:shape|数据类型))"
_DIFFERS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_WHOSE}(?P<a>{_PARTS}){TO}?(?P<m>{NAMES})?的?(?:{_PARTS})?{_UNEQUAL}",
        rf"(?P<n>{NAMES})的?(?P<a>{_PARTS})(?:需要|需){TO}(?P<m>{NAMES})的?(?:{_PARTS})?"
        "(?:保持)?(?:一致|相同)",
        rf"(?P<n>{NAMES})的?(?P<a>{_PARTS})不等于(?P<m>{NAMES})的?(?:{_PARTS})?",
        rf"(?P<n>{NAMES})的?(?P<a>{_PARTS})不{TO}(?P<m>{NAMES})(?:保持)?一致",
        rf"(?P<n>{NAMES}|){TO}(?P<m>{NAMES})的?(?P<a>{_PARTS}){_UNEQUAL}",
    )
)
_OF_PARTS = {
    **_ASPECTS,
    "type": "dtype",
    **dict.fromkeys(("维度", "维度数", "维数"), "rank"),
    **dict.fromkeys(("参数取值", "取值"), "value"),
}
"""The wrong part of a parameter by words of rows; the default is the shape."""

_OUTSIDE_KINDS: Mapping[str, ConditionKind] = {
    "dtype": "dtype_outside_support",
    "format": "format_outside_support",
    "rank": "rank_outside",
    "value": "value_outside",
}
_DIFFER_KINDS: Mapping[str, ConditionKind] = {
    "dtype": "dtype_differs",
    "format": "format_differs",
    "rank": "rank_differs",
}
_RANK_BOUND = re.compile(
    rf"(?P<n>{NAMES}|{_ALL}|)(?:的|,){{0,2}}(?:shape)?的?(?:数据)?(?:维度数|维度|维数)?"
    r"(?:范围)?(?P<o>超过|大于|高于|超出|小于)(?P<k>\d+)(?:维|D)?",
    re.IGNORECASE,
)
_RANK = re.compile(
    r"(?:维度|维数)数?(?:不等于|不为|不是|非|等于|既不|不在)|shape不是\d[维D]|[非为]\d维"
    "|不满足维度数为|非?标量.*不在支持"
    rf"|(?:维度|维数)(?:小于|大于){NAME}"
)
_OTHER_RANK = re.compile(
    r"(?:维度|维数)数?(?:不等于|不为|不是|非)\d+维?(?:[、或和者]*\d+维?)*$|不为\d维$"
)
_EXTENT = re.compile(
    "第.{1,3}维|第.{1,3}个?维度|轴|最后一个?维|某个?维度|某一维|任意一个维度|维度上|对应维度"
    "|空间大小|整除|NC维度|norm的维度"
    "|在[A-Za-z]+维"
)
_SOME_SHAPE = re.compile(
    "shape.*(?:推导|实际|指定|计算|由|根据).*(?:不一致|不匹配|不相等)|不等于由.*推导|不等于.*拆分后的shape"
    "|(?:推导|语义|计算).*shape.*(?:不一致|不匹配)"
)
_VOCABULARY = frozenset(
    re.findall(
        r"\w+",
        """shape dtype type format broadcast broadcastshape tensor dim size channel n c h w b nc hxw
        len tensorlist output true false none mean sum cast nullptr int norm rint floor round static
        dynamic max min fp4 fp8 bytes arraylist tiling api aclnn aclopexecutor workspacesize
        executor d r1 r2 rj""",
    )
)
"""Known words of rows besides parameters, data types and formats."""


@dataclass(frozen=True)
class _Row:
    """A row that is being read.

    Attributes:
        types: The C types of the parameters.
    """

    types: Mapping[str, str]

    def names_in(self, text: str) -> tuple[str, ...]:
        """Return the parameters that a text names, in its order."""
        # a parameter may be called "shape", but "the shape of" is not about it
        words = words_of(re.sub("的(?:shape|dim|dtype)(?=不|超|大|小)", "", text))
        return tuple(dict.fromkeys(word for word in words if word in self.types))

    def unknown(self, text: str) -> bool:
        """Whether a text has an unknown word."""
        return any(
            word not in self.types
            and word.lower() not in _VOCABULARY
            and word.upper().removeprefix("DT_") not in DTYPE_WORDS
            and word not in FORMATS
            for word in words_of(text)
        )

    def is_tensor(self, names: Collection[str]) -> bool:
        return all(self.types[name] in ("aclTensor*", "aclTensorList*") for name in names)


_EXTENT_OF = "(?:最后一|后两|后三)个?维度?的(?:数值|大小|值)"
_ROW_KINDS: Sequence[tuple[str, Condition]] = (
    (
        # an axis of a tensor that may have none
        rf"当(?P<t>{NAME})\.dim\(\)=0时,(?:参数)?(?P<p>{NAME})的取值范围不在\[-1,0\]内?[;,]"
        r"当(?P=t)\.dim\(\)>0时,(?:参数)?(?P=p)的取值范围不在\[-(?P=t)\.dim\(\),(?P=t)\.dim\(\)-1\]内?",
        Condition(kind="value_outside"),
    ),
    (
        rf"(?P<p>{NAME})[里内]?的数值大于等于(?:对应)?{NAME}的?(?:对应|最后一)?维度?的?(?:值|大小)?",
        Condition(kind="value_outside", around=True),
    ),
    (
        rf"(?P<p>{NAME})的数值不合法\({NAME}中的数据指向同一个维度、{NAME}超出{NAME}的维度范围\)",
        Condition(kind="value_outside", around=True),
    ),
    (
        rf"(?P<p>{NAME})的shape出现如下情况会出错:.*keep_?dims?为true时.*",
        Condition(kind="shape_differs"),
    ),
    (
        rf"(?P<p>{NAME}) ?(?:的?shape需要与{NAME}正向传播的{NAME}一致|{_EXTENT_OF}不等于{NAME}"
        rf"{_EXTENT_OF}加(?:对应)?{NAME}(?:的两个值)?)",
        Condition(kind="shape_differs"),
    ),
)
"""Whole rows, and the violation of their parameter ``p``."""

_WHOLE_ROWS = tuple((re.compile(form, re.IGNORECASE), kind) for form, kind in _ROW_KINDS)


def conditions(text: str, types: Mapping[str, str]) -> tuple[Condition, ...]:
    """Return the violations of an error table's row; none unless the whole row is understood.

    Args:
        types: The C type of each parameter of the prototype.
    """
    row = _Row(types)
    all_conditions: list[Condition] = []
    text = re.sub(r"[,，](?:例如|[^,，]*(?:参见|详见)).*$", "", text)
    text = re.sub(rf"^{NAME}(?=的?计算结果)", "", text)  # the operator's own name
    if re.search("内部|tiling|中间计算结果|执行失败", text):
        return (Condition(kind="internal", parameters=row.names_in(text)),)
    for pattern, condition in _WHOLE_ROWS:
        if (match := pattern.fullmatch(_strip(text))) and match["p"] in types:
            return (condition.model_copy(update={"parameters": (match["p"],)}),)
    for sentence in sentences(text):
        part = re.sub(r"等?的?(?:场景|情况|时)$", "", _with_digits(_strip(sentence)))
        part_conditions = _read_condition(row, part)
        if not part_conditions:
            return ()
        all_conditions += part_conditions
    return tuple(dict.fromkeys(all_conditions))


def _read_condition(row: _Row, text: str) -> list[Condition]:
    guarded = bool(re.search(_REMARK.removesuffix("?"), text))
    text = re.sub(rf"^(?:传入的)?{_ROLE}\((?P<n>{NAMES})\)", r"\g<n>", text)
    text = re.sub(r"(?<![为于A-Za-z0-9_])\((?!非空|若存|训练)[^()]*\)$", "", text)
    text = re.sub(r"[\[({](?:\(\)|[^\])}])*[\])}]", lambda m: m[0].replace(",", "、"), text)
    text = re.sub("数组|(?<=非法),出现.*|(?<=相同)的$", "", text)
    text = re.sub(r"(维.*)或者?小于(\d+)维?$", r"\1,或维度小于\2维", text)
    text = re.sub(r"\.shape(?!\[)", "的shape", text)
    text = re.sub(r"(?<=shape) dim|(?<=的)dim(?=不|超|大|小)", "维度", text)
    subject: tuple[str, ...] = ()
    if (
        re.search("必选|指针类型|tensors?是", text)
        and re.search("空指针", text)
        and not row.names_in(text)
    ):
        return [Condition(kind="null_pointer")]
    text = _FILLER.sub("", text)
    if match := _NOT_NULL.match(text):
        guarded, subject = True, row.names_in(match["n"] or "")
        text = text[match.end() :]
    elif match := _GUARD.match(text):
        # "When its value is [R1, ..., Rj]" only names what follows.
        guarded = guarded or "的值为[" not in match[0]
        subject, text = row.names_in(match[0]), text[match.end() :]
    text = re.sub("^(?:当|若|如果)", "", text)
    if row.unknown(text):
        return []
    strict = _strict(row, text.removeprefix("其"), subject)
    if not strict:
        for part in _split(row, text):
            bare = re.sub("^(?:其|两者的?|二者的?)", "", part)
            conditions_of_part = _strict(row, bare, subject) or _loose(row, part, subject)
            if not conditions_of_part:
                return []
            subject = next((c.parameters for c in conditions_of_part if c.parameters), subject)
            strict += conditions_of_part
    if guarded:
        strict = [condition.model_copy(update={"guarded": True}) for condition in strict]
    return strict


def _split(row: _Row, text: str) -> list[str]:
    """Split a text into statements; brackets and lists of names stay whole."""

    def joined(match: re.Match[str]) -> str:
        whole = match["left"] in row.types and match["right"] in row.types
        return f"{match['left']}{match['note']}、" if whole else match[0]

    listed = rf"(?P<left>{NAME})(?P<note>(?:\([^()]*\))?),(?=(?P<right>{NAME}))"
    names = re.sub(listed, joined, text)
    digits = re.sub(r"(?<=\d),(?=\d)|,(?=shape|数据类型)(?<=\),)", "、", names)
    aspects = (
        rf"(?:{NAME}(?:/{NAME})*的)?(?:维数|维度|元素|shape的|轴长|第\d)"
        rf"|{NAME}在{NAME}对应|小于\d+维"
    )
    # the text before "or" is a statement only if it is complete
    either = rf"(?:(?<=[0-9维同致等内C])|(?<=sor))或者?(?={aspects})|(?<=不同)或(?=不)"
    parts = re.split(rf"[,;](?!也)(?:或者|或|且|并且|以及|同时)?|且(?=.*不)|{either}", digits)
    return [_FILLER.sub("", part) for part in parts if part]


def _strict(row: _Row, text: str, subject: tuple[str, ...]) -> list[Condition]:
    """Return the meaning of a text in one of the usual forms."""
    for reading in (_lists, _null, _outside, _differs):
        if result := list(reading(row, text, subject)):
            return result
    return []


_OF_LISTS: Sequence[tuple[str, ConditionKind]] = (
    (rf"(?P<n>{NAMES})中存在空指针tensor", "null_member"),
    (rf"(?P<n>{NAMES})中?的tensor的?(?:元素)?数据类型{_UNEQUAL}", "member_dtype_differs"),
    (rf"(?P<n>{NAMES})中?的tensor的?(?:维度|维数)超过(?P<k>\d+)维", "rank_above"),
    (rf"(?P<n>{NAMES})中?的tensor(?:list)?的?(?:数量|长度){_UNEQUAL}", "length_differs"),
    (rf"(?P<n>{NAMES})的?(?:tensorlist)?长度(?:不在支持范围|超过限制)", "length_outside"),
    (rf"(?P<n>{NAMES})的shape不满足(?:约束|对应关系)", "shape_differs"),
    (rf"(?P<n>{NAMES})中?的?元素个数不为1", "shape_outside_support"),
)
"""Rows about lists, with what they say."""


def _lists(row: _Row, text: str, subject: tuple[str, ...]) -> Iterator[Condition]:
    del subject
    for form, kind in _OF_LISTS:
        match = re.fullmatch(form, text, re.IGNORECASE)
        names = row.names_in(match["n"]) if match else ()
        is_count = kind == "shape_outside_support"
        if match and (is_count or any(row.types[name].endswith("List*") for name in names)):
            bound = int(match["k"]) if kind == "rank_above" else None
            equal = kind == "shape_differs"
            yield Condition(kind=kind, parameters=names, bound=bound, equal=equal)


_OF_SUBJECT = re.compile(rf"其|两者|二者|{_PART}|元素|轴|broadcast后|推导后")


def _loose(row: _Row, text: str, subject: tuple[str, ...]) -> list[Condition]:
    """Return the violation of one statement, if its words determine the kind."""
    names = row.names_in(text)
    if _OF_SUBJECT.match(text) or not names:
        names = tuple(dict.fromkeys((*subject, *names)))
    if "除了" in text:
        return []
    for reading in (_types, _broadcast, _shapes, _numbers, _vague):
        if result := list(reading(row, text, names)):
            return result
    return []


def _null(row: _Row, text: str, subject: tuple[str, ...]) -> Iterator[Condition]:
    match = re.fullmatch(
        rf"(?P<n>{NAMES}|{_ALL}|)(?:参数|的?指针|其?中?的?(?:任[何意]?)?一个?)?(?:均|都)?"
        r"(?:是|为|存在|有|中有|中存在|传入的?预置值为)?(?:空指针|nullptr|空)",
        text,
    )
    if match is not None:
        yield Condition(kind="null_pointer", parameters=row.names_in(match["n"]) or subject)


def _outside(row: _Row, text: str, subject: tuple[str, ...]) -> Iterator[Condition]:
    if match := _NOT_DTYPE.fullmatch(text):
        yield Condition(kind="dtype_outside_support", parameters=row.names_in(match["n"]))
    elif match := _NOT_FORMAT.fullmatch(text):
        yield Condition(kind="format_outside_support", parameters=row.names_in(match["n"]))
    elif match := _OUTSIDE.fullmatch(re.sub(r"\([^()]*\)$", "", text)):
        for each in re.findall(_PART, match["a"]):
            yield Condition(
                kind=_OUTSIDE_KINDS.get(_OF_PARTS.get(each, ""), "shape_outside_support"),
                parameters=row.names_in(match["n"]) or subject,
                around=_OF_PARTS.get(each) in ("rank", "value"),
            )


def _differs(row: _Row, text: str, subject: tuple[str, ...]) -> Iterator[Condition]:
    match = next((form_match for form in _DIFFERS if (form_match := form.fullmatch(text))), None)
    if match is None:
        return
    parts = match.groupdict()
    names = (*(row.names_in(parts["n"]) or subject), *row.names_in(parts["m"] or ""))
    if len(set(names)) < 2 and not re.fullmatch(_ALL, parts["n"]):
        return  # one parameter differs from something unnamed
    for each in re.findall(_PART, parts["a"]):
        yield Condition(
            kind=_DIFFER_KINDS.get(_OF_PARTS.get(each, ""), "shape_differs"),
            parameters=tuple(dict.fromkeys(names)),
            equal="不匹配" not in text,
        )


def _types(row: _Row, text: str, names: tuple[str, ...]) -> Iterator[Condition]:
    del row
    if not re.search(r"无法|不能|不可|不满足|不是|不符合|不支持|推导[后出]来?的.*不[在属]", text):
        return
    if re.search(r"转换|(?<!broad)cast", text, re.IGNORECASE):
        yield Condition(kind="dtype_not_castable", parameters=names)
    elif re.search(r"推导[之以]?[后出]来?的?(?:数据)?类型不(?:属于|在|是)", text):
        yield Condition(kind="promotion_outside_support", parameters=names)
    elif re.search(r"推导(?:规则|关系|后的)|(?:数据类型|dtype|类型)?.*推导", text):
        yield Condition(kind="dtype_not_derivable", parameters=names)


def _broadcast(row: _Row, text: str, names: tuple[str, ...]) -> Iterator[Condition]:
    del row
    if not re.search(r"broadcast|广播|扩展成", text, re.IGNORECASE):
        return
    if re.search(r"后|结果", text):
        if names and not text.startswith("shape"):
            yield Condition(kind="shape_differs", parameters=names, of_broadcast=True)
    elif re.search(r"无法|不能|不可|不满足|不符合", text):
        yield Condition(kind="not_broadcastable", parameters=names)


def _shapes(row: _Row, text: str, names: tuple[str, ...]) -> Iterator[Condition]:
    if re.search(r"broadcast|广播", text, re.IGNORECASE):
        return
    if (match := _RANK_BOUND.fullmatch(text)) and "维" in text:
        yield Condition(
            kind="rank_below" if match["o"] == "小于" else "rank_above",
            parameters=row.names_in(match["n"]) or names,
            bound=int(match["k"]),
        )
    elif (
        "元素" not in text
        and _EXTENT.search(text)
        and re.search(r"不|大于|小于|超过|为0|一致|相等", text)
    ):
        if row.is_tensor(names[:1]):
            yield Condition(kind="extent_outside", parameters=names)
        elif names and all(row.types[name] != "aclTensor*" for name in names):
            yield Condition(kind="value_outside", parameters=names)
    else:
        kind = next((k for pattern, k in _SHAPE_KINDS if pattern.search(text)), None)
        if kind is not None:
            around = kind == "rank_outside" and bool(_OTHER_RANK.search(text))
            yield Condition(kind=kind, parameters=names, around=around)


_SHAPE_KINDS: Sequence[tuple[re.Pattern[str], ConditionKind]] = (
    # one that must not be empty, beside others that are, breaks nothing by itself
    (re.compile("^(?!.*(?:不[为是].*|非)空tensor).*空tensor", re.IGNORECASE), "empty_tensor"),
    (re.compile("元素个数|元素数量|元素总数|size(?:大于|小于)", re.IGNORECASE), "elements_outside"),
    (_RANK, "rank_outside"),
    (re.compile(r"shape(?:不等于|不为)[\[(]|shape不为n$"), "shape_outside_support"),
    (_SOME_SHAPE, "shape_differs"),
)


def _numbers(row: _Row, text: str, names: tuple[str, ...]) -> Iterator[Condition]:
    if not names or row.is_tensor(names[:1]):
        return
    if re.search(r"长度|的size", text) and re.search(r"不|大于|小于|超过", text):
        yield Condition(kind="length_outside", parameters=names)
    elif re.search(
        r"不为空指针|小于|大于|等于|不为|不在|不是|非\d|<|>|!=|超过|超出|为负|负数|重复|没有设置为",
        text,
    ) and not re.search(r"(?<!的)shape|数据类型|数据格式|维数|dtype", text):
        yield Condition(kind="value_outside", parameters=names)


def _vague(row: _Row, text: str, names: tuple[str, ...]) -> Iterator[Condition]:
    del row
    if re.search(r"平台|产品", text):
        yield Condition(kind="product_unsupported")
    elif _ELSEWHERE.search(text):
        yield Condition(kind="stated_elsewhere", parameters=names)


_ELSEWHERE = re.compile(
    "(?:不满足|不符合|不合法|非法|不匹配).*"
    "(?:约束|要求|条件|预期|限制|参数说明|推导|关系|值)"
    "|(?:不合法|不匹配|不符合约束|非法)$|与参数说明中不一致$|不在约束说明之内$"
    "|不在合法取值范围|不匹配或者不在支持"
)

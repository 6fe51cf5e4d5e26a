# SPDX-License-Identifier: Apache-2.0
"""What a sentence states of a parameter besides its columns: how it depends on others, its values.

Like those of :mod:`aclnn_cts.transcribe.phrases`, the patterns match only whole sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from aclnn_cts.spec.data_types import FORMATS
from aclnn_cts.transcribe.page_model import Interval, Relation, RelationKind
from aclnn_cts.transcribe.phrases import (
    DTYPE_WORDS,
    EQUAL,
    MUST,
    NAME,
    NAMES,
    TO,
    canonical,
    words_of,
)

_RESTRICTIVE = re.compile(
    "需|必须|应[该为与在是当满大小和]|须|要求|只|仅|支持|不|禁止|范围|取值|大于|小于|等于|至少|至多|最多|上限|下限|超过"
    "|一致|同(?!时)|其他|其余|其它|相等|匹配|满足|约束|若|当(?!前)|如果|否则|除(?![数法到])|时(?=,|、|$)|默认|可选|可以|可为|允许|整除|倍数"
    "|空|有效|合法|推导|转换|broadcast|广播|一半|倍|分之"
    "|(?:类型|shape|dtype|size|dim|rank|维|维度|维数|轴|长度|大小|个数|元素)(?:均|都)?(?:为|是)"
    r"|[一二两三四五六七八九\d]维|[<>=\[\]{}]|\d",
    re.IGNORECASE,
)
"""Words of sentences that may say which calls are valid; others describe the operator."""


_NOUNS = ("shape", "dtype", "size", "dim", "rank", "broadcast")

_HARMLESS = (
    r"是否|不生效|无需关注|空间|填充范围|在最后[一二三]维做pad|\(aclTensor\*?\)"
    "|需要?(?:被|进行|做)*(?:填充|限制|计算|处理|转换|比较|更新|reduce|累加|排序|重复|按位.移|复制|输出|重排|交换|对齐|压缩|解压|移动)"
)
"""Words that contain restrictive ones."""


def is_description(text: str, known: Mapping[str, str]) -> bool:
    """Whether a sentence says only what a parameter is, not which ones are valid.

    Args:
        known: The C types of the parameters; their names restrict nothing, whatever is in them.
    """
    phrase = re.sub(_HARMLESS, "", canonical(text))
    names = [word for word in words_of(phrase) if word not in known]
    if any(word.upper() in DTYPE_WORDS or word in FORMATS for word in names):
        return False
    bare = re.sub(NAME, lambda match: match[0] if match[0].lower() in _NOUNS else " ", phrase)
    return _RESTRICTIVE.search(bare) is None


_SEE = r"(?:\((?:参见|参考|详见|见)?[^()]*\))?"
_OF = rf"(?:(?P<s>{NAMES}|其|张量|Tensor类型,)?的?(?:数据)?)"
_LIST = rf"(?P<n>{NAMES})"
_SHAPE_WORD = r"(?:shape|形状)"
_BROADCAST = r"(?:broadcast|广播)"
_TYPE = r"(?:数据类型|dtype|类型)"
_DEDUCTION = (
    rf"(?:数据)?(?:类型)?(?:TensorScalar)?互?(?:推导|转换)(?:规则|关系)(?:/互推导关系)?{_SEE}"
)
_AFTER = r"(?:之|以)?后的?"

_RELATIONS: Sequence[tuple[RelationKind, str]] = (
    (
        "broadcasts_with",
        rf"{_OF}{_SHAPE_WORD}{MUST}(?:可以|可)?{TO}{_LIST}的?{_SHAPE_WORD}?(?:进行|做|相互|{MUST})*"
        rf"(?:满足|符合)?{_BROADCAST}(?:关系|规则)?{_SEE}",
    ),
    (
        "broadcasts_with",
        rf"{_LIST}的?{_SHAPE_WORD}{MUST}(?:满足|符合){_BROADCAST}(?:关系|规则){_SEE}",
    ),
    (
        "broadcasts_with",
        rf"且?{MUST}{TO}{_LIST}(?:的?{_SHAPE_WORD})?{MUST}(?:满足|符合){_BROADCAST}(?:关系|规则){_SEE}",
    ),
    (
        "broadcast_of",
        rf"{_OF}(?:tensor的?)?{_SHAPE_WORD}{MUST}(?:是|为|等于|{TO})?{_LIST}(?:的?{_SHAPE_WORD})?"
        rf"(?:进行|做|满足| )*{_BROADCAST}(?:关系)?{_AFTER}(?:tensor的?)?"
        rf"{_SHAPE_WORD}{_SEE}{MUST}{EQUAL}?{_SEE}",
    ),
    (
        "result_of_broadcast",
        rf"(?:进行)?{_BROADCAST}{_AFTER}{_SHAPE_WORD}{MUST}(?:{TO}|等于)"
        rf"(?P<s>{NAME})的?{_SHAPE_WORD}?{EQUAL}?",
    ),
    (
        "promotes_with",
        rf"{_OF}{_TYPE}?{MUST}{TO}{_LIST}的?{_TYPE}?{MUST}(?:满足|符合){_DEDUCTION}",
    ),
    ("promoted_supported", rf"推导{_AFTER}(?:数据)?类型{MUST}在支持的输入类型里"),
    (
        "converts_from",
        rf"{_OF}{_TYPE}?{MUST}(?:要求)?(?:是|为)?{_LIST}(?:的?{_TYPE})?(?:的?{_TYPE})?(?:推导{_AFTER})?(?:的?{_TYPE})?"
        rf"可转换的(?:数据)?类型{_SEE}",
    ),
    ("converts_from", rf"{MUST}(?:是|为)推导{_AFTER}可转换的(?:数据)?类型{_SEE}"),
    (
        "converts_from",
        rf"推导(?:{_AFTER}|出来?的)(?:数据)?类型{MUST}(?:支持|可以|能)?转换(?:到|为|成)(?P<s>{NAME})的?{_TYPE}{_SEE}",
    ),
    (
        "converts_to",
        rf"{_OF}{_TYPE}{MUST}(?:可以?|能)(?:够)?(?:转换成|推导到|转换为|转换到|转化为){_LIST}(?:推导{_AFTER})?的?{_TYPE}{_SEE}",
    ),
)
"""Sentences about several parameters. ``n`` are the others, ``s`` the parameter itself."""

_COMPILED = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _RELATIONS)


_AXES_FROM_END = ("最后一", "倒数第二", "倒数第三")
_PAIRS = ("前两个?", "中间两个", "后两个?")
_EXTENT = "维度?的?(?:数值|大小|值)"
_PADDED_AXIS = re.compile(
    rf"(?:{NAME})?(?P<a>{'|'.join(_AXES_FROM_END)}){_EXTENT}等于(?P<t>{NAME})(?P=a){_EXTENT}加"
    rf"(?P<p>{NAME})(?:的两个|{'|'.join(_PAIRS)})(?:数?值|数)"
)
_OTHER_AXES = re.compile(
    r"(?:输出shape中,除被填充的最后[一二三]维外,(?:其他维度)?需要(?:与\w+)?一致(?:,|$))?"
    "(?:被填充的后[二三两]维中,)?"
)
_PADDED_LIKE = re.compile(
    rf"shape(?:、dtype)?需要与(?:{NAME})?正向传播(?:{NAME})?的?(?:输出)?(?:{NAME})?一致",
    re.IGNORECASE,
)


def padding(text: str, known: Mapping[str, str]) -> tuple[Relation, ...] | None:
    """Return which extents of a tensor are padded, one relation for each."""
    phrase = canonical(text).rstrip("。;.")
    if _PADDED_LIKE.fullmatch(phrase):
        return (Relation(kind="padded_like", others=()),)
    statement = _OTHER_AXES.sub("", phrase, count=1)
    if not phrase or (statement == phrase and "加" not in phrase):
        return None
    clauses = [_PADDED_AXIS.fullmatch(clause) for clause in statement.split(",") if clause]
    axes = [match for match in clauses if match is not None]
    if len(axes) < len(clauses):
        return None
    named = {each[key] for each in axes for key in ("t", "p")}
    if not named <= set(known):
        return None
    return tuple(Relation(kind="padded", others=(each["t"], each["p"])) for each in axes)


def relation(text: str, name: str, known: Mapping[str, str]) -> Relation | None:
    """Return how a parameter depends on others, if a whole sentence states it."""
    phrase = re.sub("^并?且", "", canonical(text).rstrip("。;."))
    phrase = re.sub(r"(?<=\w)的数据类型(?=[与和、]|推导|可转换)", "", phrase, flags=re.ASCII)
    for kind, pattern in _COMPILED:
        match = pattern.fullmatch(phrase)
        if match is None:
            continue
        parts = match.groupdict()
        subject = words_of(parts.get("s") or "")
        others = [each for each in words_of(parts.get("n") or "") if each != "BOOL"]
        named = [each for each in (*subject, *others) if each != "Tensor"]
        if not set(named) <= set(known) or not (others or kind not in _NEED_OTHERS):
            continue
        # a sentence without "its own" may name the parameter among the others
        if name in named or subject in ([], ["Tensor"]):
            return Relation(kind=kind, others=tuple(e for e in dict.fromkeys(named) if e != name))
        if kind == "result_of_broadcast":
            return Relation(kind=kind, others=())
        if kind == "converts_from" and len(subject) == 1:
            return Relation(kind=kind, others=(name,), subject=subject[0])
    return None


_NEED_OTHERS = ("broadcasts_with", "broadcast_of", "promotes_with", "converts_to")

_KEEPS = re.compile(
    r"(?:(?:计算)?公式中的?\w+值?,)?(?:reduce轴的维度)?(?:指定)?是否(?:在输出张量中|需要|要)*保留(?:reduce轴的?|输入张量的|对应的?)?(?:维度|轴)?"
    r"(?:,?(?:计算)?公式中的.*)?"
    "|(?:(?:如果|若|当)?(?:keep_?dims?)?为true时?,则?(?:不?保留(?:指定|对应)?的?轴的?(?:维度)?(?:值?为1)?"
    "|除dims?指定维度上的size为1以外,其余维度的shape需要与self保持一致|输出维度等于self维度)"
    "|(?:如果|若|当)(?:keep_?dims?)为false时?,则?(?:不保留对应的轴|不保留该维度|输出维度为self维度减1"
    "|reduce轴的维度不保留,其余维度shape需要与self一致)"
    "|shape需要是[a-z]+经过计算后的shape|shape需要依据keep_?dims?与[a-z]+相对应|根据keep_?dims?决定)",
    re.IGNORECASE,
)


_POOLED = re.compile(
    rf"(?:shape维度与{NAME}相同,)?(?:{NAME})?前两维(?:与|和)({NAME})的?(?:一致|相同),(?:后边|其他)的?维度均?为1"
)


def pooled(text: str) -> str | None:
    """Return the tensor of which all axes but the first two are reduced to an extent of 1."""
    match = _POOLED.fullmatch(canonical(text).rstrip("。;."))
    return match[1] if match else None


_INDEX = re.compile(
    rf"(?:{NAME})?中?的?(?:索引(?:值|数据)?)?的?(?:"
    rf"不支持越界|(?:取值)?范围为?在?\[0,{NAME}\.shape\[\w+\]\)(?:\([^()]*\))?"
    rf"|(?:取值)?范围为?在?0~{NAME}\.shape\[\w+\]内\(包含0,不包含{NAME}\.shape\[\w+\]\))"
    "|仅支持非负索引(?:,索引数据不支持越界)?"
)


def is_index(text: str) -> bool | None:
    """Return whether a sentence bounds the indices in a tensor; None if not."""
    return _INDEX.fullmatch(canonical(text).rstrip("。;.")) is not None or None


_UNTESTABLE = re.compile(
    "输入为空tensor时,输出类型不能是复数类型COMPLEX64和COMPLEX128|当self是复数时,out必须是复数"
)


def is_untestable(text: str) -> bool:
    """Whether a sentence is about complex tensors alone, which no case can use."""
    return _UNTESTABLE.fullmatch(canonical(text).rstrip("。;.")) is not None


def keeps_axes(text: str) -> bool | None:
    """Return whether a sentence says that a bool decides which axes are kept; None if not."""
    return _KEEPS.fullmatch(canonical(text).rstrip("。;.")) is not None or None


_NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?|[+-]?(?:[iI]nf|INF|∞)"
_RANK_OF = (
    rf"-?(?:(?P<{{0}}>{NAME})(?:\.dim\(\)|的?维度数?量?|的?维数)|len\((?P<{{0}}l>{NAME})(?:\.shape)?\)"
    rf"|rank\((?P<{{0}}r>{NAME})\))(?:-1)?"
)
_LOW = rf"(?P<low>{_NUMBER}|{_RANK_OF.format('lowof')})"
_HIGH = rf"(?P<high>{_NUMBER}|{_RANK_OF.format('highof')})"
_WITHIN = re.compile(
    rf"(?:(?:其|该值|值|{NAME}|dim的?值|元素|每个元素|维度值?|指定的?维度)?的?{MUST}(?:取值|值|数值)?的?"
    rf"(?:的?取?值?范围|值域)?"
    rf"(?:仅|只)?(?:支持|{MUST}(?:为|是|在|属于)|:)?){MUST}(?:在)?(?P<open>[\[(]){_LOW}[,~]{_HIGH}(?P<close>[\])])"
    r"(?:之?内|之间|范围内|的?范围(?:之?内)?)?"
)
_BOUND = re.compile(
    rf"(?:(?:其|该值|值|{NAME})?的?(?:取值|数值|值)?(?:范围)?{MUST}(?:为|是|支持)?){MUST}"
    rf"(?P<o>大于等于|小于等于|不小于|不大于|大于|小于|>=|<=|>|<)(?P<k>{_NUMBER})(?:的(?:数|值|整数))?"
)
_CHOICE = re.compile(
    rf"(?:(?:其|{NAME})?的?(?:取值|值)?(?:范围)?(?:仅|只|当前)*(?:可以?)?(?:支持|为|是|可?取)?(?:取值)?(?:为|是)?)"
    r"[{\[(]?(?P<v>-?\d+(?:(?:、|,|/|或|和)-?\d+)+)[}\])]?(?:之一|中的一个)?"
)
_LENGTH = re.compile(
    rf"(?:{NAME})?"
    r"(?:数组|列表|数据类型|数据格式)?的?(?:长度|size|元素个数)(?:必须|需要?|应|只能|仅支持|支持)?为?(?P<k>\d+)"
)
_EXPLAINED = re.compile(r"(?:可选操作:)?(?P<v>-?\d+)(?:[:=-]|表示|代表|对应)(?P<t>\D.*)")
_AXIS = (
    rf"当(?P<t>{NAME})\.dim\(\)=0时,(?:参数)?(?:dim的?)?取值范围{{0}}\[-1,0\](?:之?内)?[;,]"
    r"当(?P=t)\.dim\(\)>0时,(?:参数)?(?:dim的?)?取值范围{0}\[-(?P=t)\.dim\(\),(?P=t)\.dim\(\)-1\](?:之?内)?"
)
_DISTINCT = re.compile(
    rf"且?(?:{NAME}|其)?中?的?(?:数据|元素|值|维度)?(?:不能|不可|不允许|不可以)(?:相同|重复)"
)
_OPERATORS = {
    "大于等于": ">=",
    "不小于": ">=",
    "小于等于": "<=",
    "不大于": "<=",
    "大于": ">",
    "小于": "<",
}


def interval(text: str, name: str, known: Mapping[str, str]) -> Interval | None:
    """Return the values of an attribute, if a whole sentence states them."""
    phrase = canonical(text).rstrip("。;.").removesuffix(",支持负数")
    subject = re.match(NAME, phrase)
    if subject and subject[0] in known and subject[0] != name:
        return None
    for pattern, reading in _INTERVALS:
        if pattern in (_LENGTH, _DISTINCT) and not known[name].endswith("Array*"):
            continue
        if (match := pattern.fullmatch(phrase)) and (result := reading(match, known)):
            return result
    return None


_OPPOSITES = {
    "不在": "在",
    "不等于": "为",
    "小于等于": "大于",
    "小于": "大于等于",
    "大于等于": "小于",
    "大于": "小于等于",
    "为负数": ">=0",
}


_BEYOND_AXES = re.compile(
    rf"{NAME}(?:数组)?中?的?(?:维度|指定的维度)?(?:超过|超出)(?:输入)?(?:tensor|(?P<t>{NAME}))的?维度范围",
    re.IGNORECASE,
)
_TWICE = re.compile(rf"{NAME}(?:数组)?中?的?(?:元素|数据|值|轴|维度)?(?:有)?重复")


def valid_values(text: str, name: str, known: Mapping[str, str]) -> Interval | None:
    """Return the values that a row of an error table leaves, if it refuses all others."""
    row = re.sub(r"等?的?(?:场景|情况|时)?$", "", canonical(text).rstrip("。;."))
    if _TWICE.fullmatch(row):
        return Interval(is_distinct=True)
    if match := _BEYOND_AXES.fullmatch(row):
        first = next(each for each, type_ in known.items() if type_.startswith("aclTensor"))
        tensor = match["t"] or first
        inside = Interval(low=f"-rank({tensor})", high=f"rank({tensor})", below=True)
        return inside if known.get(tensor) == "aclTensor*" else None
    if match := re.fullmatch(_AXIS.replace("{0}", "不在"), row):
        return _axis(match, known)
    opposite = re.sub("|".join(_OPPOSITES), lambda match: _OPPOSITES[match[0]], row, count=1)
    return interval(opposite, name, known) if opposite != row else None


_RANK_KEYS = tuple(f"{end}of{form}" for end in ("low", "high") for form in ("", "l", "r"))


def _within(match: re.Match[str], known: Mapping[str, str]) -> Interval | None:
    tensors = [each for key in _RANK_KEYS if (each := match[key])]
    if any(known.get(each) != "aclTensor*" for each in tensors):
        return None
    low, high = (_expression(match[key], match, f"{key}of") for key in ("low", "high"))
    return Interval(low=low, high=high, above=match["open"] == "(", below=match["close"] == ")")


def _expression(text: str, match: re.Match[str], key: str) -> str:
    """Return a bound as an expression of specs: ``self.dim()-1`` is ``rank(self) - 1``."""
    if tensor := match[key] or match[f"{key}l"] or match[f"{key}r"]:
        sign, less = "-" * text.startswith("-"), " - 1" * text.endswith("-1")
        return f"{sign}rank({tensor}){less}"
    return _number(text)


def _number(text: str) -> str:
    return re.sub("inf|∞", "inf", text.removeprefix("+"), flags=re.IGNORECASE)


def _bound(match: re.Match[str], known: Mapping[str, str]) -> Interval | None:
    del known
    operator, number = _OPERATORS.get(match["o"], match["o"]), _number(match["k"])
    strict = "=" not in operator
    if operator.startswith(">"):
        return Interval(low=number, above=strict)
    return Interval(high=number, below=strict)


def _choice(match: re.Match[str], known: Mapping[str, str]) -> Interval | None:
    del known
    return Interval(values=tuple(dict.fromkeys(map(int, re.findall(r"-?\d+", match["v"])))))


def _length(match: re.Match[str], known: Mapping[str, str]) -> Interval | None:
    del known
    return Interval(length=int(match["k"]))


_BELOW_EXTENT = re.compile(
    rf"且?(?:{NAME})?的?(?:{'|'.join(_PAIRS)}|两个)?(?:维度的)?(?:数值|数)?(?:都|均)?需?小于(?P<t>{NAME})"
    rf"(?P<a>{'|'.join(_AXES_FROM_END)}){_EXTENT}?"
)


def _below_extent(match: re.Match[str], known: Mapping[str, str]) -> Interval | None:
    """Return the bound of the two elements by which an axis is padded."""
    axis = _AXES_FROM_END.index(match["a"]) + 1
    if known.get(match["t"]) != "aclTensor*":
        return None
    elements = (2 * axis - 2, 2 * axis - 1)
    return Interval(high=f"dim({match['t']}, -{axis})", below=True, elements=elements)


def _explained(match: re.Match[str], known: Mapping[str, str]) -> Interval | None:
    is_plain = is_description(match["t"], known)
    return Interval(values=(int(match["v"]),), is_example=True) if is_plain else None


def _axis(match: re.Match[str], known: Mapping[str, str]) -> Interval | None:
    """Return the axes of a tensor; one without axes counts as if it had one."""
    if known.get(match["t"]) != "aclTensor*":
        return None
    bound = f"max(rank({match['t']}), 1)"
    return Interval(low=f"-{bound}", high=bound, below=True)


def _distinct(match: re.Match[str], known: Mapping[str, str]) -> Interval | None:
    del match, known
    return Interval(is_distinct=True)


_INTERVALS: Sequence[
    tuple[re.Pattern[str], Callable[[re.Match[str], Mapping[str, str]], Interval | None]]
] = (
    (_WITHIN, _within),
    (_BOUND, _bound),
    (_CHOICE, _choice),
    (_LENGTH, _length),
    (_DISTINCT, _distinct),
    (_EXPLAINED, _explained),
    (_BELOW_EXTENT, _below_extent),
)


_BRACKETS = {**dict.fromkeys("([（【", 1), **dict.fromkeys(")]）】", -1)}


def parts(sentence: str) -> list[str]:
    """Return the statements between the commas of a sentence; brackets and lists stay whole."""
    depth, start = 0, 0
    statements = []
    for at, character in enumerate(sentence):
        depth += _BRACKETS.get(character, 0)
        # a comma in a list of names or types, not before a statement about the next one
        listed = re.match(r"\s*[A-Za-z0-9_]+\s*(?:[,，、]|$)", sentence[at + 1 :])
        if character in ",，" and depth <= 0 and not listed:
            statements.append(sentence[start:at])
            start = at + 1
    return [*statements, sentence[start:]]

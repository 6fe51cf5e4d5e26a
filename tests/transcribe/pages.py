# SPDX-License-Identifier: Apache-2.0
"""Pages of made-up operators, in the form and the fixed phrases of real ones."""

from __future__ import annotations

from collections.abc import Sequence

TITLES = (
    "参数名",
    "输入/输出",
    "描述",
    "使用说明",
    "数据类型",
    "数据格式",
    "维度(shape)",
    "非连续Tensor",
)
PRODUCTS = """\
<!-- npu="950" id1 -->
- <term>Ascend 950PR/Ascend 950DT</term>：支持
<!-- end id1 -->
- <term>Atlas A3 训练系列产品/Atlas A3 推理系列产品</term>：支持
- <term>Atlas A2 训练系列产品/Atlas A2 推理系列产品</term>：支持
- <term>Atlas 200I/500 A2 推理产品</term>：不支持
- <term>Atlas 推理系列产品</term>：不支持
- <term>Atlas 训练系列产品</term>：支持
"""
X = ("x", "输入", "小数的张量。", "支持空Tensor。", "FLOAT、FLOAT16、BFLOAT16", "ND", "0-8", "√")
Y = (
    "y",
    "输出",
    "结果。",
    "数据类型和shape与x保持一致。",
    "FLOAT、FLOAT16、BFLOAT16",
    "ND",
    "0-8",
    "√",
)
ERRORS = (
    ("ACLNN_ERR_PARAM_NULLPTR", "161001", "传入的x或y是空指针。"),
    ("ACLNN_ERR_PARAM_INVALID", "161002", "x的数据类型不在支持的范围之内。"),
)


def row(cells: Sequence[str], tag: str = "td") -> str:
    """Return a row of a table."""
    return "<tr>\n" + "\n".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "\n</tr>\n"


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as pages write it."""
    head = f"<thead>\n{row(titles, 'th')}</thead>\n"
    return f"<table>\n{head}<tbody>\n{''.join(map(row, rows))}</tbody></table>\n"


def page(
    rows: Sequence[Sequence[str]] = (X, Y),
    prototype: str = "const aclTensor *x, aclTensor *y",
    notes: str = "",
    errors: Sequence[Sequence[str]] = ERRORS,
    constraints: str = "- 确定性计算：\n  - aclnnMadeUp默认确定性实现。\n",
    parameters: str | None = None,
) -> str:
    """Return a page of aclnnMadeUp."""
    return f"""\
# aclnnMadeUp

## 产品支持情况

{PRODUCTS}
## 功能说明

把x加倍。

## 函数原型

```Cpp
aclnnStatus aclnnMadeUpGetWorkspaceSize(
  {prototype},
  uint64_t *workspaceSize,
  aclOpExecutor **executor)
```

## aclnnMadeUpGetWorkspaceSize

- **参数说明：**

{table(TITLES, rows) if parameters is None else parameters}
{notes}
- **返回值：**

{table(("返回码", "错误码", "描述"), errors)}
## 约束说明

{constraints}
"""


def page_of_two() -> str:
    """Return a page on two operators, of which the second works in place."""
    inplace = page(
        rows=(("xRef（aclTensor*）", "输入/输出", *X[2:]),),
        prototype="aclTensor *xRef",
        errors=(("ACLNN_ERR_PARAM_NULLPTR", "161001", "传入的xRef是空指针。"),),
    ).replace("aclnnMadeUp", "aclnnInplaceMadeUp")
    prototype = inplace[inplace.index("```Cpp") : inplace.index("## aclnnInplace")]
    chapter = inplace[inplace.index("## aclnnInplace") : inplace.index("## 约束")]
    whole = page().replace("## aclnnMadeUpGet", f"{prototype}\n## aclnnMadeUpGet")
    return whole.replace("## 约束", f"{chapter}\n## 约束")

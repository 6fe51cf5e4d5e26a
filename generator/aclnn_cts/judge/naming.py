# SPDX-License-Identifier: Apache-2.0
"""How the broken clauses of a case are told to a person: which of them, and in which words."""

from __future__ import annotations

from collections.abc import Sequence

from aclnn_cts.plan.cases import Case

_MOST = 3


def told_clauses(broken: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the clauses whose texts are told, three at most, and those that are only named.

    What explains a whole run stands first, and what the case's own elements break last: without the
    latter nobody learns what is wrong with them.
    """
    if len(broken) <= _MOST:
        return tuple(broken), ()
    return (*broken[: _MOST - 1], broken[-1]), tuple(broken[_MOST - 1 : -1])


def text_in(case: Case, clause: str, text: str) -> str:
    """Return a clause's text, with what the case makes of it if that is one of several.

    A promise of three data types is broken by one of them, and that of non-contiguous tensors by a
    layout: ``x has the data type float32, float16 or bfloat16 (here bfloat16)``.
    """
    made = {f"{tensor.name}-dtype": tensor.dtype for tensor in case.tensors}
    made |= {f"{tensor.name}-non-contiguous": tensor.layout for tensor in case.tensors}
    return f"{text} (here {made[clause]})" if text and clause in made else text

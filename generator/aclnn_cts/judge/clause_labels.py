# SPDX-License-Identifier: Apache-2.0
"""How the broken clauses of a case are told to a person: which of them, and in which words."""

from __future__ import annotations

from collections.abc import Sequence

from aclnn_cts.judge.verdicts import Common
from aclnn_cts.plan.cases import Case
from aclnn_cts.spec.structure import clause_id

_MOST = 3


def told_clauses(
    broken: Sequence[str], only_in: Sequence[Common] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the clauses whose texts are told, three at most, and those that are only named.

    What explains a whole run stands first, and what the case's own elements break last: without the
    latter nobody learns what is wrong with them.

    Args:
        broken: The broken clauses.
        only_in: What failing cases have in common: its clauses say where, and are left out.
    """
    kept = without_where(broken, only_in)
    if len(kept) <= _MOST:
        return kept, ()
    return (*kept[: _MOST - 1], kept[-1]), kept[_MOST - 1 : -1]


def without_where(broken: Sequence[str], only_in: Sequence[Common]) -> tuple[str, ...]:
    """Return the clauses that say what is wrong: those of ``only_in`` say where."""
    where = {clause for common in only_in for clause in common.clauses}
    return tuple(clause for clause in broken if clause not in where)


def told_common(common: Common) -> str:
    """Return what failing cases have in common: ``bfloat16 (x-dtype, dy-dtype)``."""
    return f"{common.setting} ({', '.join(common.clauses)})"


def text_in(case: Case, clause: str, text: str) -> str:
    """Return a clause's text, with what the case makes of it if that is one of several.

    A promise of three data types is broken by one of them, and that of non-contiguous tensors by a
    layout: ``x has the data type float32, float16 or bfloat16 (here bfloat16)``.
    """
    made = {clause_id(tensor.name, "dtype"): tensor.dtype for tensor in case.tensors}
    made |= {clause_id(tensor.name, "non-contiguous"): tensor.layout for tensor in case.tensors}
    return f"{text} (here {made[clause]})" if text and clause in made else text

# SPDX-License-Identifier: Apache-2.0
"""The value and the truth of an expression's text."""

from __future__ import annotations

from typing import Any

from aclnn_cts.spec.evaluation import Scope, Truth, evaluate_condition, evaluate_number
from aclnn_cts.spec.expression import parse


def number(text: str, **values: Any) -> Any:
    return evaluate_number(parse(text), Scope(values))


def truth_of(text: str, **values: Any) -> Truth:
    return evaluate_condition(parse(text), Scope(values))

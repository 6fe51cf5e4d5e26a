# SPDX-License-Identifier: Apache-2.0
"""Ids of cases: readable, stable, and dependent on the call alone."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from aclnn_cts.plan.cases import ACLNN_SUCCESS, AttributeValue, Intent, TensorCase, fields_of
from aclnn_cts.spec.models import OperatorSpec


def case_id(
    spec: OperatorSpec,
    tensors: tuple[TensorCase, ...],
    attributes: Mapping[str, AttributeValue],
    intent: Intent,
    digest: str,
) -> str:
    """Return the id: operator, scene, distinguishing facts, and ``digest``."""
    parts = [spec.operator.removeprefix("aclnn"), intent.scene]
    if intent.detail:
        parts.append(intent.detail)
    dtypes = dict.fromkeys(
        tensor.dtype for tensor in tensors if tensor.data_type.floating is not None
    )
    parts.append("-".join(dtypes) or tensors[0].dtype)
    parts.append(token(tensors[0].shape) if tensors[0].shape else "scalar")
    if intent.twin is None:
        parts += [f"{name}_{token(value)}" for name, value in list(attributes.items())[:4]]
        parts += [f"{t.name}_{t.layout}" for t in tensors if t.layout != "contiguous"][:2]
    return ".".join([*parts, digest[:10]])


def call_digest(
    operator: str,
    tensors: Iterable[TensorCase],
    attributes: Mapping[str, AttributeValue],
    scalars: Mapping[str, str],
    intent: Intent,
) -> str:
    """Return the digest of the call, without tier, scene and product."""
    content: list[Any] = [operator, [_content(tensor) for tensor in tensors], dict(attributes)]
    if scalars:
        content.append(dict(scalars))
    content.append((ACLNN_SUCCESS,) if intent.is_valid else "refused")
    if intent.again:
        content += [intent.again, intent.deterministic]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _content(tensor: TensorCase) -> dict[str, Any]:
    """Return a tensor's fields, those of its fill included; dataclasses.asdict takes far longer."""
    return {**fields_of(tensor), "fill": fields_of(tensor.fill) if tensor.fill else None}


def token(value: Any) -> str:
    """Return a value as a case id shows it."""
    if isinstance(value, tuple | list):
        return "x".join(str(item) for item in value) or "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    text = "null" if value is None else str(value)
    return re.sub(r"[^A-Za-z0-9.+-]+", "-", text) or "empty"

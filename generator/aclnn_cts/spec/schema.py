# SPDX-License-Identifier: Apache-2.0
"""JSON Schemas of the YAML files and of results.json, generated from the models.

Editors complete and check the specs with them: the first line of each YAML file names its schema.
They are checked in as ``specs/schema/*.schema.json``; ``aclnn-cts generate`` writes them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from aclnn_cts.spec.models import (
    Allowances,
    CommonClauses,
    OperatorSpec,
    PrecisionStandards,
    Products,
    Traits,
)
from aclnn_cts.spec.quarantine import Quarantine
from aclnn_cts.spec.waivers import Waivers

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _Written(GenerateJsonSchema):
    """Numbers that JSON has no literal for are strings in the files that we write."""

    def float_schema(self, schema: core_schema.FloatSchema) -> JsonSchemaValue:
        return {"anyOf": [super().float_schema(schema), {"enum": ["NaN", "Infinity", "-Infinity"]}]}


_NONE: Mapping[str, type[BaseModel]] = {}

_MODELS: dict[str, type[BaseModel]] = {
    "allowances.schema.json": Allowances,
    "common.schema.json": CommonClauses,
    "traits.schema.json": Traits,
    "operator.schema.json": OperatorSpec,
    "precision.schema.json": PrecisionStandards,
    "products.schema.json": Products,
    "quarantine.schema.json": Quarantine,
    "waivers.schema.json": Waivers,
}


def schemas(further: Mapping[str, type[BaseModel]] = _NONE) -> dict[str, dict[str, Any]]:
    """Return the schema of each kind of file by the schema's file name.

    Args:
        further: Models of later rooms, by the schema's file name; a file holds what they write.
    """
    read = {name: model.model_json_schema() for name, model in _MODELS.items()}
    written = {
        name: model.model_json_schema(
            by_alias=True, mode="serialization", schema_generator=_Written
        )
        for name, model in further.items()
    }
    return {name: {"$schema": _DIALECT, **each} for name, each in (read | written).items()}


def schema_texts(further: Mapping[str, type[BaseModel]] = _NONE) -> dict[str, str]:
    """Return the text of each schema file: sorted keys, two spaces, a newline at the end."""
    return {
        name: json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        for name, schema in schemas(further).items()
    }

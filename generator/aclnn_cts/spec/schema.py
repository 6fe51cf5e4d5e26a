# SPDX-License-Identifier: Apache-2.0
"""JSON Schemas of the YAML files, generated from the models.

Editors complete and check the specs with them: the first line of each YAML file names its schema.
They are checked in as ``specs/schema/*.schema.json``; ``aclnn-cts generate`` writes them.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

from aclnn_cts.spec.models import (
    Allowances,
    CommonClauses,
    OperatorSpec,
    PrecisionStandards,
    Products,
)
from aclnn_cts.spec.quarantine import Quarantine
from aclnn_cts.spec.waivers import Waivers

_DIALECT = "https://json-schema.org/draft/2020-12/schema"

_MODELS: dict[str, type[BaseModel]] = {
    "allowances.schema.json": Allowances,
    "common.schema.json": CommonClauses,
    "operator.schema.json": OperatorSpec,
    "precision.schema.json": PrecisionStandards,
    "products.schema.json": Products,
    "quarantine.schema.json": Quarantine,
    "waivers.schema.json": Waivers,
}


def schemas() -> dict[str, dict[str, Any]]:
    """Return the schema of each kind of YAML file by the schema's file name."""
    return {
        name: {"$schema": _DIALECT, **model.model_json_schema()} for name, model in _MODELS.items()
    }


def schema_texts() -> dict[str, str]:
    """Return the text of each schema file: sorted keys, two spaces, a newline at the end."""
    return {
        name: json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        for name, schema in schemas().items()
    }

# SPDX-License-Identifier: Apache-2.0
"""JSON Schemas of the YAML files, generated from the models.

Editors complete and check the specs with them: the first line of each YAML file names its schema.
They are checked in as ``specs/schema/*.schema.json``; a test proves that they are in step.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from aclnn_cts.spec.models import CommonClauses, OperatorSpec, PrecisionStandards, Products

_DIALECT = "https://json-schema.org/draft/2020-12/schema"

_MODELS: dict[str, type[BaseModel]] = {
    "common.schema.json": CommonClauses,
    "operator.schema.json": OperatorSpec,
    "precision.schema.json": PrecisionStandards,
    "products.schema.json": Products,
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


def write_schemas(folder: Path) -> None:
    """Write all schemas into a folder, which is made if it does not exist."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in schema_texts().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    from aclnn_cts.suite import find_suite

    write_schemas(find_suite().specs / "schema")

# SPDX-License-Identifier: Apache-2.0
"""The checked-in schemas and the reference page are what the models give."""

from __future__ import annotations

import json

import pytest

from aclnn_cts.cli.authoring import SCHEMAS
from aclnn_cts.spec.schema import reference, schema_texts, schemas
from aclnn_cts.suite import find_suite


@pytest.mark.parametrize("name", schemas(SCHEMAS))
def test_schemas_are_in_step(name: str) -> None:
    """Editors complete specs by the models of this version (`aclnn-cts generate`)."""
    path = find_suite().specs / "schema" / name
    assert path.read_text(encoding="utf-8") == schema_texts(SCHEMAS)[name]


def test_no_other_schema_is_checked_in() -> None:
    """A schema without a model would mislead editors."""
    folder = find_suite().specs / "schema"
    assert {path.name for path in folder.iterdir()} == set(schemas(SCHEMAS))


def test_schemas_are_written_with_sorted_keys() -> None:
    """The files are the same whatever the order of fields in memory, and end with a newline."""
    for name, text in schema_texts(SCHEMAS).items():
        assert json.loads(text) == schemas(SCHEMAS)[name]
        assert (
            text
            == json.dumps(json.loads(text), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        )


def test_each_spec_names_its_schema() -> None:
    """The first line tells editors where the schema stands."""
    special = {"products", "precision", "allowances", "common", "quarantine", "traits"}
    for path in find_suite().specs.glob("*.yaml"):
        kind = path.stem if path.stem in special else "operator"
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert first == f"# yaml-language-server: $schema=schema/{kind}.schema.json"


def test_unknown_keys_are_errors_in_the_schema_too() -> None:
    """Editors refuse what loading refuses."""
    operator = schemas(SCHEMAS)["operator.schema.json"]
    assert operator["additionalProperties"] is False
    for definition in operator["$defs"].values():
        if "properties" in definition:
            assert definition["additionalProperties"] is False


def test_reference_is_in_step() -> None:
    """docs/spec-reference.md follows from the models (`aclnn-cts generate`)."""
    page = find_suite().root / "docs" / "spec-reference.md"
    assert page.read_text(encoding="utf-8") == reference()


def test_every_key_is_explained() -> None:
    """Each key of each model has a sentence on the reference page."""
    lines = [line for line in reference().splitlines() if line.startswith("| `")]
    assert len(lines) > 100
    assert [line for line in lines if line.endswith("|  |")] == []

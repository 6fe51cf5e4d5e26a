# SPDX-License-Identifier: Apache-2.0
"""The schemas that editors read, and the reference page, are what the models give."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from aclnn_cts.cli import app
from aclnn_cts.cli.authoring import SCHEMAS
from aclnn_cts.spec.schema import reference, schema_texts, schemas
from aclnn_cts.suite import find_suite


def test_schemas_for_editors(tmp_path: Path) -> None:
    """Whoever has no checkout gets them by an option."""
    ended = CliRunner().invoke(app, ["generate", "--schemas", str(tmp_path / "schema")])
    assert ended.exit_code == 0, ended.output
    written = {path.name: path.read_text("utf-8") for path in (tmp_path / "schema").iterdir()}
    assert written == schema_texts(SCHEMAS)


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

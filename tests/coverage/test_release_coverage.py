# SPDX-License-Identifier: Apache-2.0
"""Which operators of a release the suite tests, by pages and headers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.transcribe.pages import page, page_of_two
from typer.testing import CliRunner

from aclnn_cts.cli import app
from aclnn_cts.coverage.release_coverage import ReleaseOperator, cover_release
from aclnn_cts.spec.loading import SpecSet


def declare(*names: str) -> str:
    return "".join(
        f"ACLNN_API aclnnStatus {name}GetWorkspaceSize(const aclTensor* x);\n"
        f"ACLNN_API aclnnStatus {name}(void* workspace);\n"
        for name in names
    )


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A release of a header, pages of unknown operators, and one that cannot be read."""
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "aclnn_few.h").write_text(
        declare(
            "aclnnSilu", "aclnnInplaceSelu", "aclnnHeaviside", "aclnnOnlyDeclared", "aclnnMadeUp"
        )
    )
    (tmp_path / "doubling").mkdir()
    (tmp_path / "doubling" / "aclnnMadeUp.md").write_text(page_of_two())
    bad = page().replace("aclnnMadeUp", "aclnnBroken").replace("|", "").replace("<th>", "<th>-")
    (tmp_path / "doubling" / "aclnnBroken.md").write_text(bad)
    (tmp_path / "notes.md").write_text("Call aclnnNothingGetWorkspaceSize first.\n")
    return tmp_path


def by_name(release: Path, specs: SpecSet) -> dict[str, ReleaseOperator]:
    return {operator.name: operator for operator in cover_release(release, specs, 1)}


def test_each_declared_operator_has_the_depth_of_its_tests(release: Path, specs: SpecSet) -> None:
    """Operators in place count, prose that mentions a function declares none."""
    depths = {name: operator.depth for name, operator in by_name(release, specs).items()}
    assert depths == {
        "aclnnSilu": "values",
        "aclnnInplaceSelu": "values",
        "aclnnHeaviside": "contract",
        "aclnnOnlyDeclared": "unknown",
        "aclnnMadeUp": "unknown",
        "aclnnInplaceMadeUp": "unknown",
        "aclnnBroken": "unknown",
    }


def test_what_keeps_an_operator_out(release: Path, specs: SpecSet) -> None:
    """A page is read even if a header declares the operator, too."""
    operators = by_name(release, specs)
    assert operators["aclnnMadeUp"].file == release / "doubling" / "aclnnMadeUp.md"
    assert "drafts one with" in operators["aclnnMadeUp"].reason
    assert "drafts one with" in operators["aclnnInplaceMadeUp"].reason
    assert "no page" in operators["aclnnOnlyDeclared"].reason
    assert "cannot be transcribed" in operators["aclnnBroken"].reason
    families = {name: operator.family for name, operator in operators.items()}
    assert families["aclnnMadeUp"] == "doubling"
    assert families["aclnnSilu"] == "activation"


def test_the_command_counts_and_explains(release: Path) -> None:
    asked = ["coverage", "--release", str(release)]
    short, whole = (CliRunner().invoke(app, [*asked, *more]) for more in ([], ["--verbose"]))
    assert short.exit_code == whole.exit_code == 0
    assert [*short.stdout.split("all", 1)[1].split()[:4]] == ["7", "2", "1", "4"]
    assert "aclnnBroken (" not in short.stdout
    assert "aclnnBroken (" in whole.stdout
    found = CliRunner().invoke(app, [*asked, "--json"])
    assert len(json.loads(found.stdout)["operators"]) == 7


@pytest.mark.parametrize("further", [["--first"], ["--operator", "aclnnSilu"], ["--since", "HEAD"]])
def test_it_is_about_all_operators(release: Path, further: list[str]) -> None:
    ended = CliRunner().invoke(app, ["coverage", "--release", str(release), *further])
    assert ended.exit_code == 2


def test_a_folder_without_operators_is_refused(tmp_path: Path) -> None:
    ended = CliRunner().invoke(app, ["coverage", "--release", str(tmp_path)])
    assert ended.exit_code == 2
    assert str(tmp_path) in ended.stderr

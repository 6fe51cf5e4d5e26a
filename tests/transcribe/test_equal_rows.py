# SPDX-License-Identifier: Apache-2.0
"""tools/equal_rows.py finds rows with equal words and different transcriptions."""

from __future__ import annotations

from pathlib import Path

from tests.transcribe.pages import page
from tools.equal_rows import differing, equal_rows, stale

from aclnn_cts.spec.loading import SpecSet


def test_equal_words_equal_clauses(specs: SpecSet, tmp_path: Path) -> None:
    """Of three pages with one error table, one whose spec makes a row break another aspect."""
    operators = ("aclnnLayerNorm", "aclnnAdaptiveMaxPool2d", "aclnnMseLoss")
    for operator in operators:
        text = page().replace("aclnnMadeUp", operator)
        (tmp_path / f"{operator}.md").write_text(text, encoding="utf-8")
    (rows,) = differing(equal_rows(specs, tmp_path)).values()
    assert rows == {
        frozenset({"shape"}): ["aclnnLayerNorm"],
        frozenset({"data type"}): ["aclnnAdaptiveMaxPool2d", "aclnnMseLoss"],
    }
    (tmp_path / "aclnnLayerNorm.md").unlink()
    rest = equal_rows(specs, tmp_path)
    assert rest
    assert not differing(rest)


def test_an_explanation_without_a_difference() -> None:
    """Once the transcriptions of a row agree, its explanation has to go."""
    agreeing = {"x": {frozenset({"shape"}): ["aclnnA", "aclnnB"]}}
    assert stale(agreeing, {"x": "once"}) == {"x"}
    agreeing["x"][frozenset()] = ["aclnnC"]
    assert not stale(agreeing, {"x": "once"})

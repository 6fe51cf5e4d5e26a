# SPDX-License-Identifier: Apache-2.0
"""What the documents leave open, as their specs and plans state it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from aclnn_cts.coverage.clause_coverage import cover_operators
from aclnn_cts.coverage.findings import KINDS, Finding, count_kinds, list_findings
from aclnn_cts.coverage.reached_cases import CoverageQuestion
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import READINGS
from aclnn_cts.spec.overlaps import may_clash
from aclnn_cts.suite import find_suite

PLANNED = ("aclnnLogit", "aclnnMseLossBackward", "aclnnSeluBackward")


@pytest.fixture(scope="module")
def stated(specs: SpecSet) -> tuple[Finding, ...]:
    """What the specs of all operators state, without plans."""
    operators = [spec.operator for spec in specs.tested_operators]
    return list_findings(find_suite(), specs, operators, ())


@pytest.fixture(scope="module")
def planned(specs: SpecSet) -> Mapping[str, Finding]:
    """The findings of three operators with their planned calls, by id."""
    suite = find_suite()
    question = CoverageQuestion(suite, specs.edition, PLANNED, ("atlas-a2",), "smoke")
    found = list_findings(suite, specs, PLANNED, cover_operators(question))
    assert [each.calls for each in found] == sorted((each.calls for each in found), reverse=True)
    return {each.id: each for each in found}


def test_the_mean_of_a_loss(planned: Mapping[str, Finding]) -> None:
    """The formula divides by the elements of self, the row of reduction by those of out."""
    mean = planned["aclnnMseLossBackward/factor+readings"]
    assert (mean.kind, mean.family, mean.since) == ("contradiction", "loss", "2026-08")
    assert [each.text for each in mean.statements] == ["2 / numel(self)", "2 / numel(out)"]
    assert mean.place == "aclnnMseLossBackward, function, formula of factor"
    assert mean.calls > 0
    row = planned["aclnnMseLossBackward/reduction+note"]
    assert (row.kind, row.place) == ("note", "aclnnMseLossBackward, parameters, reduction")


def test_clauses_that_exclude_each_other(planned: Mapping[str, Finding]) -> None:
    """Each contested pair of clauses is a contradiction with both statements and their places."""
    pairs = {
        name.partition("/")[2]: each
        for name, each in planned.items()
        if each.kind == "contradiction" and each.page == "aclnnLogit"
    }
    assert set(pairs) == {
        *("formula+outside", "formula+zero", "formula+one"),
        *("outside+eps-one", "zero+eps-above-one", "one+eps-above-one"),
    }
    first, second = pairs["zero+eps-above-one"].statements
    assert (first.place, second.place) == (
        "aclnnLogit, constraints, input, second half",
        "aclnnLogit, constraints, eps",
    )
    assert (first.clause, second.clause) == ("aclnnLogit/zero", "aclnnLogit/eps-above-one")
    assert all(each.calls > 0 for each in pairs.values())


def test_a_contradicted_column(planned: Mapping[str, Finding]) -> None:
    """The text is the note, the place the column, and all calls with the tensor count."""
    empty = planned["aclnnSeluBackward/gradOutput+empty"]
    assert empty.place == "aclnnSeluBackward, parameters, gradOutput, empty"
    assert empty.text.startswith("The page promises an empty gradOutput")
    assert empty.calls > 0
    assert "aclnnSeluBackward/gradOutput+note" not in planned


def test_every_statement_of_the_specs_is_listed(
    stated: tuple[Finding, ...], specs: SpecSet
) -> None:
    """No contradicted column, reading, open status, silence or note is missed."""
    first = {each.operators[0] for each in stated}
    assert len({each.id for each in stated}) == len(stated)
    for spec in specs.tested_operators:
        own = [each for each in stated if spec.operator in each.operators]
        columns = sum(len(getattr(row, "contradicted", ())) for row in spec.parameters)
        readings = [p for p in spec.precision if READINGS in p.allowances]
        contradictions, statuses, silences, notes = count_kinds(own)
        assert contradictions >= columns + bool(readings)
        assert statuses == sum(len(error.statuses) != 1 for error in spec.errors)
        assert silences == len(spec.not_promised)
        rows = [row for row in spec.parameters if row.note and not getattr(row, "contradicted", ())]
        assert notes == len(rows) + sum(
            bool(error.note) and len(error.statuses) == 1 for error in spec.errors
        )
        assert spec.operator in first or spec.second_of is not None or not own


def test_a_reference_to_another_note(stated: tuple[Finding, ...]) -> None:
    """`As for scale` is replaced by the note of scale."""
    notes = {each.id: each.text for each in stated if each.kind == "note"}
    assert notes["aclnnAdaLayerNorm/shift+note"] == notes["aclnnAdaLayerNorm/scale+note"]


def test_two_operators_of_a_page_share_findings(stated: tuple[Finding, ...]) -> None:
    """What a page says alike of both its operators is one finding."""
    alpha = next(each for each in stated if each.id == "aclnnAddRelu/alpha+note")
    assert alpha.operators == ("aclnnAddRelu", "aclnnInplaceAddRelu")


def test_since_the_earlier_edition(stated: tuple[Finding, ...]) -> None:
    """A point that the earlier page left open, too, has that edition."""
    since = {each.id: each.since for each in stated if each.page == "aclnnLogitGrad"}
    assert set(since.values()) == {"earlier", "2026-08"}


def test_operators_whose_clauses_may_clash(specs: SpecSet) -> None:
    """Conditions that exclude each other, or an exception, are no contradiction."""
    clashing = {spec.operator for spec in specs.tested_operators if may_clash(spec)}
    assert {"aclnnLogit", "aclnnLogitGrad", "aclnnRmsNorm"} <= clashing
    assert "aclnnDropoutDoMask" not in clashing
    assert KINDS == ("contradiction", "status", "silence", "note")

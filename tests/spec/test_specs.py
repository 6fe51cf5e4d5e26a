# SPDX-License-Identifier: Apache-2.0
"""The specs as a whole: which operators there are, products, ids, derived clauses, language."""

from __future__ import annotations

from tests.spec.documents import FORWARD, GROUP_NORM, PRELU, SUPPORT

from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import AttributeParameter, TensorParameter
from aclnn_cts.spec.parameter_clauses import structural_clauses
from aclnn_cts.suite import find_suite


def test_all_operators_are_there(specs: SpecSet) -> None:
    """Five operators are tested; the forward pooling only makes masks."""
    assert set(specs.operators) >= set(SUPPORT)
    assert {spec.operator for spec in specs.tested_operators} >= set(SUPPORT) - {FORWARD}
    assert specs.operator(FORWARD).role == "producer"


def test_products_in_matching_order(specs: SpecSet) -> None:
    """Longer SoC names stand before the names that they begin with."""
    prefixes = [prefix for item in specs.products.values() for prefix in item.soc_prefixes]
    for index, prefix in enumerate(prefixes):
        assert not any(prefix.startswith(earlier) for earlier in prefixes[:index])
    for product in specs.products.values():
        first = next(
            item.id
            for item in specs.products.values()
            if product.simulated_soc.startswith(tuple(item.soc_prefixes))
        )
        assert first == product.id


def test_memory_slack_and_infinities(specs: SpecSet) -> None:
    """Only Ascend 950 rounds an allocation up to 32 without more; only atlas-training saturates."""
    assert {p.id for p in specs.products.values() if p.malloc_slack == 0} == {"ascend-950"}
    assert {p.malloc_slack for p in specs.products.values()} == {0, 32}
    assert {p.id for p in specs.products.values() if not p.inf_nan} == {"atlas-training"}


def test_no_clause_uses_a_derived_id(specs: SpecSet) -> None:
    """Ids are unique within an operator, the derived and the common ones included."""
    for spec in specs.operators.values():
        ids = [clause.id for clause in structural_clauses(spec)]
        ids += [clause.id for clause in spec.rules] + [clause.id for clause in spec.clauses]
        ids += [clause.id for clause in spec.errors] + [point.id for point in spec.not_promised]
        ids += [clause.id for clause in specs.common]
        assert len(ids) == len(set(ids))


def test_lines_fit_beside_a_page() -> None:
    """Lines of specs have at most 118 columns."""
    files = sorted(find_suite().specs.glob("*.yaml"))
    lines = {
        f"{path.name}:{number}": len(line)
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    }
    assert files
    assert [place for place, columns in lines.items() if columns > 118] == []


def test_texts_are_english() -> None:
    """Paraphrases, not quotations: no sentence of the (Chinese) documents stands in a spec.

    The products' names on pages are names, not sentences.
    """
    for path in set(find_suite().specs.glob("*.yaml")) - {find_suite().specs / "products.yaml"}:
        assert path.read_text(encoding="utf-8").isascii(), path.name


def test_structural_clauses_follow_the_rows(specs: SpecSet) -> None:
    """Rows promise what they say: no clause about non-contiguous outputs of GroupNormSwishGrad."""
    ids = {clause.id for clause in structural_clauses(specs.operator(GROUP_NORM))}
    assert {"dy-non-contiguous", "dx-out-dtype", "dgamma-out-shape", "product-support"} <= ids
    assert "dx-out-non-contiguous" not in ids
    assert "dy-empty" not in ids
    assert "determinism" in ids
    assert "grad-output-empty" in {
        clause.id for clause in structural_clauses(specs.operator(PRELU))
    }


def test_parameters_are_of_two_kinds(specs: SpecSet) -> None:
    """A row with `attribute` is an attribute, one with `tensor` a tensor."""
    for spec in specs.operators.values():
        kinds = {type(parameter) for parameter in spec.parameters}
        assert kinds <= {TensorParameter, AttributeParameter}
        assert len(spec.tensors) + len(spec.attributes) == len(spec.parameters)

# SPDX-License-Identifier: Apache-2.0
"""Calls that must be refused: every documented violation, each in a minimal pair."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.spec.minimal import MINIMAL, load_operator

from aclnn_cts.plan.calls import Call, Twin
from aclnn_cts.plan.cases import Case, TensorCase
from aclnn_cts.plan.factors import factors_of
from aclnn_cts.plan.refused_cases import refused_cases, violations
from aclnn_cts.plan.validity import base_facts
from aclnn_cts.plan.violated_clauses import (
    STRONGEST_FIRST,
    unmet_besides_null,
    unmet_requirements,
    violated_ids,
)
from aclnn_cts.spec.clause_models import ErrorClause
from aclnn_cts.spec.data_types import STATUSES, promote
from aclnn_cts.spec.expression import parse
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.models import OperatorSpec, ShapeRule, TensorParameter
from aclnn_cts.spec.parameter_clauses import PRODUCT_SUPPORT, structural_clauses

Forms = tuple[OperatorSpec, ...]
Planned = Callable[..., tuple[Case, ...]]

PRODUCTS = ("ascend-950", "atlas-a2", "atlas-training")
"""One product of each plan: atlas-a3 has the calls of atlas-a2."""


def follows(tensor: TensorParameter, spec: OperatorSpec) -> set[str]:
    """Return the tensors of which a tensor's shape or data type is a function."""
    found: set[str] = set()
    if tensor.dtype is not None:
        found.add(tensor.dtype.removesuffix(".dtype"))
    rule = tensor.shape
    if isinstance(rule, str):
        found.add(rule.removesuffix(".shape"))
    elif isinstance(rule, ShapeRule):
        for choice in rule.one_of or []:
            dims = (dim for dim in choice.dims or [] if not isinstance(dim, str))
            found.update(name for dim in dims for name in dim.names)
        found.update([rule.partner] if rule.partner else [])
        found.update(rule.sources)
    elif isinstance(rule, list):
        found.update(name for dim in rule if not isinstance(dim, str) for name in dim.names)
    names = {other.name for other in spec.tensors}
    return found & names


def changed_fields(one: TensorCase, other: TensorCase) -> set[str]:
    names = ("dtype", "shape", "format", "source")
    found = {name for name in names if getattr(one, name) != getattr(other, name)}
    if one.shape == other.shape and (one.strides, one.offset, one.storage) != (
        other.strides, other.offset, other.storage
    ):  # fmt: skip
        found.add("layout")
    # A refused call has no use for a producer: its input is given data instead.
    return found - ({"source"} if (one.source, other.source) == ("data", "producer") else set())


def _is_chosen_by(rule: ShapeRule, names: list[str]) -> bool:
    conditions = (choice.when for choice in rule.one_of or [])
    return any(not condition.names.isdisjoint(names) for condition in conditions if condition)


def _read_by(spec: OperatorSpec, attribute: str) -> Iterator[str]:
    """Yield the names that the values of an attribute read, which follow from shapes then."""
    texts = {each.name for each in spec.attributes if each.attribute in ("string", "dtype")}
    for level in spec.factors.attributes.get(attribute, []) if attribute not in texts else []:
        if isinstance(level, str):
            yield from parse(level).names


def root_causes(spec: OperatorSpec, case: Case, twin: Case) -> list[str]:
    """Return the facts in which two calls differ; what only follows from another is left out."""
    changed = {
        mine.name: fields
        for mine, other in zip(case.tensors, twin.tensors, strict=True)
        if (fields := changed_fields(mine, other))
    }
    # A scalar's value follows from its data type, which may follow from that of a tensor.
    retyped = [name for name, dtype in case.scalars.items() if dtype != twin.scalars[name]]
    followers = [
        scalar.name
        for scalar in spec.scalars
        if scalar.dtype
        and case.scalars[scalar.name] == case.tensor(scalar.dtype.removesuffix(".dtype")).dtype
    ]
    dims = [name for name in spec.factors.dims if case.names.get(name) != twin.names.get(name)]
    reshaped = {*dims, *(name for name, fields in changed.items() if "shape" in fields)}
    causes = [
        name
        for name, value in case.attributes.items()
        if (name in retyped or repr(value) != repr(twin.attributes[name]))
        and reshaped.isdisjoint(_read_by(spec, name))
        and not (name in retyped and name in followers)
    ]
    by_dim = {
        tensor.name
        for tensor in spec.tensors
        if (isinstance(tensor.shape, list) and (dims or causes))
        or (isinstance(tensor.shape, ShapeRule) and _is_chosen_by(tensor.shape, causes))
    }
    by_dim |= {
        name for name, rule in spec.resize_rules.items() if not rule.axis.names.isdisjoint(causes)
    }
    by_dim |= {
        tensor.name
        for tensor in spec.tensors
        if tensor.rule and tensor.rule.arranged and tensor.rule.arranged.names & {*causes}
    }
    roots = [
        f"{name}.{field}"
        for name, fields in changed.items()
        for field in sorted(fields)
        if not (field == "shape" and name in by_dim)
        and not any(
            field in changed.get(other, ()) or (field == "shape" and other in by_dim)
            for other in follows(spec.tensor(name), spec)
            if getattr(spec.tensor(other), field, "") != f"{name}.{field}"
        )
    ]
    return [*causes, *dims, *roots]


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_refusal_differs_in_one_fact(specs: SpecSet, planned: Planned, product: str) -> None:
    """Each call that must be refused differs from a passing call in exactly one thing."""
    cases = {case.id: case for case in planned(product, "smoke")}
    refused = [case for case in cases.values() if not case.expects_success]
    # A null pointer has something else wrong besides on purpose; all tensors may get a dimension,
    # those that belong together another data type or format, and a clause may assign several values
    # at once.
    jointly = {
        (spec.operator, error.id)
        for spec in specs.tested_operators
        for error in spec.errors
        if any(len(item) > 1 for item in error.assign or ())
    }
    minimal = [
        case
        for case in refused
        if case.scene != "product-unsupported"
        if not any(mark in case.id for mark in ("+", ".all_rank", "_together."))
        if (case.operator, case.scene) not in jointly
    ]
    assert len(minimal) > len(refused) / 2
    for case in minimal:
        assert case.twin is not None
        twin = cases[case.twin]
        assert twin.expects_success
        assert twin.operator == case.operator
        spec = specs.operator(case.operator)
        causes = root_causes(spec, case, twin)
        if case.scene.endswith("dtype-differs") and len(causes) > 1:
            assert {cause.partition(".")[2] for cause in causes} == {"dtype"}, case.id
            assert len({case.tensor(cause.partition(".")[0]).dtype for cause in causes}) == 1
        else:
            assert len(causes) == 1, (case.id, causes)


def _one_sided(spec: OperatorSpec, product: str) -> set[str]:
    """Return the clauses of which the spec says that no call of the product breaks them alone."""
    items = (item for item in spec.one_sided if item.missing == "negative")
    return {str(item.clause) for item in items if product in (item.products or [product])}


def test_each_error_clause_is_broken_alone(forms: Forms, planned: Planned) -> None:
    """By a call that breaks no other clause, where the spec does not say why there is none.

    `aclnn-cts coverage` holds this of every operator on every product.
    """
    for spec in forms:
        product = next(p for p in ("atlas-a2", *PRODUCTS) if spec.supports(p))
        cases = planned(product, "smoke", spec.operator)
        alone = {
            broken[0] for case in cases if len(broken := violated_ids(Call.of(spec, case))) == 1
        }
        stated = _one_sided(spec, product)
        errors = {e.id for e in spec.errors_on(product) if not e.unsupported_product}
        assert errors - alone == errors & stated, spec.operator


def test_every_error_clause_has_a_case(specs: SpecSet, forms: Forms, planned: Planned) -> None:
    """No refusal that a document promises is left untested on all products."""
    scenes = {
        (case.operator, case.scene)
        for spec in forms
        for product in filter(spec.mentions, specs.products)
        for case in planned(product, "smoke", spec.operator)
        if not case.expects_success
    }
    assert scenes == {(spec.operator, error.id) for spec in forms for error in spec.errors}


@pytest.mark.parametrize("product", PRODUCTS)
def test_error_clauses_keep_to_their_products(
    specs: SpecSet, forms: Forms, planned: Planned, product: str
) -> None:
    """Cases for exactly the error clauses that hold on a product, and none for another reason."""
    names = [spec.operator for spec in forms if spec.mentions(product)]
    cases = planned(product, "smoke", *names)
    found = {(c.operator, c.scene) for c in cases if not c.expects_success}
    promised = {
        (spec.operator, error.id)
        for spec in forms
        for error in spec.errors
        if spec.supports(product) == (error.unsupported_product is None)
        and (error.products is None or product in error.products)
    }
    assert found == promised
    errors = {(spec.operator, error.id): error for spec in forms for error in spec.errors}
    for case in cases:
        if case.expects_success:
            assert (case.basis, case.refused_by, case.is_launched) == (None, (), True)
            continue
        own = errors[case.operator, case.scene]
        broken = violated_ids(Call.of(specs.operator(case.operator), case))
        assert own.id in broken, case.id
        bases = {errors[case.operator, name].basis for name in broken}
        assert case.basis == min(bases, key=STRONGEST_FIRST.index)
        stated = {code for name in broken for code in errors[case.operator, name].statuses}
        assert set(case.statuses) in (stated, set()), case.id
        clauses = [errors[case.operator, name] for name in broken]
        rows = [error for error in clauses if error.basis == "status"]
        for error in clauses if case.statuses else ():
            assert error in rows or any(_same_fact(error, row) for row in rows), case.id
        launched = case.basis == "refusal" or own.unsupported_product is not None
        assert case.is_launched == launched


def _same_fact(required: ErrorClause, row: ErrorClause) -> bool:
    """Whether a requirement and a row are about the data types, or shapes, of common tensors."""
    about = dict.fromkeys(("not_castable", "not_promotable", "promotion_outside_support"), "dtype")
    about |= {"rank_outside": "shape", "rank_below": "shape"}
    kinds = {about.get(each.kind.key, each.kind.key.partition("_")[0]) for each in (required, row)}
    common = set(required.names) & set(row.names)
    return required.basis == "requirement" and len(kinds) == 1 and bool(common)


def test_the_statuses_of_all_that_is_wrong_are_right(planned: Planned) -> None:
    """Of each basis, and of mixtures of two: what may come back, and what states it."""

    def told(operator: str, start: str) -> tuple[object, ...]:
        named = f"{operator.removeprefix('aclnn')}.{start}"
        cases = planned("atlas-a2", "smoke", operator)
        case = next(each for each in cases if each.id.startswith(named))
        return case.basis, case.statuses, case.refused_by

    dropout, pool = "aclnnDropoutBackward", POOL
    null, invalid = 161001, 161002
    assert told(dropout, "null-pointer.mask.") == ("status", (null,), ("null-pointer",))
    both = ("null-pointer", "scale-below-one")
    assert told(dropout, "null-pointer.mask+scale_0.5") == ("status", (null, invalid), both)
    assert told(dropout, "scale-nan") == ("requirement", (), ("scale-nan",))
    # An empty mask has the wrong size, too: it must be refused, with whatever status.
    assert told(dropout, "no-empty-tensors.mask") == ("status", (), ("mask-size",))
    alone = ("status", (invalid,), ("dtype-unsupported",))
    assert told("aclnnLogitGrad", "dtype-unsupported.x_int32.") == alone
    assert told("aclnnLogitGrad", "dtype-unsupported.x_int32_alone")[1] == ()
    # A type that a row refuses is no other tensor's, and in no column: that is not two things.
    assert told("aclnnLogitGrad", "dtype-unsupported.out_int32") == alone
    assert told("aclnnGeGluBackward", "dtype-unsupported.gradInput_double") == alone
    assert told("aclnnCelu", "not-castable.out_int32") == ("status", (invalid,), ("not-castable",))
    assert told("aclnnCelu", "out-dtype-unsupported.out_double") == (
        "requirement", (), ("out-dtype-unsupported",)
    )  # fmt: skip
    assert told(pool, "kernel-wrong-length")[:2] == ("status", (invalid,))
    assert told(pool, "window-shape-differs.indices")[0] == "requirement"
    assert told("aclnnPreluBackward", "grad-weight-shape-differs")[:2] == ("status", (invalid,))
    assert told("aclnnPreluBackward", "grad-weight-shape-of-several")[0] == "requirement"
    assert told("aclnnPreluBackward", "grad-output-broadcasts-beyond")[0] == "requirement"


def test_a_type_that_is_listed_is_not_refused(specs: SpecSet, planned: Planned) -> None:
    """The pooling page lists bfloat16 for every product, also where no mask can be made for it."""
    own = [case for case in planned("atlas-training", "smoke") if case.operator == POOL]
    assert own
    tensors = [tensor for case in own for tensor in case.tensors if tensor.name != "indices"]
    assert not any(tensor.dtype == "bfloat16" for tensor in tensors)
    assert "bfloat16-without-a-mask" in {each.id for each in specs.operator(POOL).not_promised}


def test_values_that_go_by_product_and_data_type(planned: Planned) -> None:
    """Each product has ordinary values of its own, and each refusal a twin of its type."""
    for product, usual in (("atlas-a2", 0), ("atlas-training", 1)):
        calls = planned(product, "smoke", "aclnnAvgPool2d")
        assert {c.attributes["cubeMathType"] for c in calls if c.scene == "base"} == {usual}
        tried = {c.attributes["cubeMathType"] for c in calls if c.scene == "cube-math-type-unknown"}
        assert tried == {3, -1, 4}
    refused = planned("atlas-a2", "smoke", "aclnnAvgPool2d")
    told = {c.scene: c.tensor("self").dtype for c in refused if c.scene == "bfloat16-lowered"}
    assert told == {"bfloat16-lowered": "bfloat16"}


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_null_pointer_may_come_with_something_else(
    specs: SpecSet, planned: Planned, product: str
) -> None:
    """Two things wrong at once: no page says which is told, so the status of either is right."""
    refused = [case for case in planned(product, "smoke") if not case.expects_success]
    both = [case for case in refused if "+" in case.id]
    assert both
    for case in both:
        spec = specs.operator(case.operator)
        optional = {each.name for each in spec.tensors if each.absent and not each.wanted}
        optional |= {each.name for each in spec.inputs if each.absent is not None}
        nulls = [each.name for each in case.tensors if each.source == "null"]
        nulls = [name for name in nulls if name not in optional]
        arrays = [each for each in spec.attributes if each.attribute in ("ints", "bools")]
        texts = [each for each in spec.attributes if each.attribute == "string"]
        handles = (*spec.scalars, *arrays, *texts)
        required = {each.name for each in handles if each.absent is None}
        nulls += [name for name in required if case.attributes[name] is None]
        assert len(nulls) == 1, case.id
        assert not case.statuses or STATUSES["ACLNN_ERR_PARAM_NULLPTR"] in case.statuses
        assert case.scene in case.refused_by
        assert case.scene in {error.id for error in spec.errors if error.null_pointer}
        without = {
            each.name for each in (*arrays, *texts)
        }  # nothing else is known without its numbers
        assert unmet_besides_null(Call.of(spec, case)) or nulls[0] in without, case.id


def test_every_requirement_is_broken_somewhere(forms: Forms, planned: Planned) -> None:
    """Types, ranks, formats, shapes and rules: broken by some call, or the spec says why not.

    `aclnn-cts coverage` holds this of every operator, too.
    """
    for spec in forms:
        product = next(p for p in ("atlas-a2", *PRODUCTS) if spec.supports(p))
        cases = planned(product, "smoke", spec.operator)
        broken = {name for case in cases for name in unmet_requirements(Call.of(spec, case))}
        permissions = ("-non-contiguous", "-empty", "-absent", "-unwanted")
        null = spec.reserved_tensors(product)
        ids = [each.id for each in structural_clauses(spec) if each.parameter not in null]
        ids += [rule.id for rule in spec.rules_on(product)]
        required = {
            name for name in ids if not name.endswith(permissions) and name != "determinism"
        }
        others = {clause.id for clause in spec.clauses} | {error.id for error in spec.errors}
        stated = _one_sided(spec, product) - others
        assert required - broken - {PRODUCT_SUPPORT} == stated, spec.operator


@pytest.mark.parametrize("product", ["atlas-inference", "atlas-200i-500-a2"])
def test_a_product_without_support_refuses_each_data_type(
    forms: Forms, planned: Planned, product: str
) -> None:
    """Where the tables say unsupported, ordinary calls of all operators must be refused."""
    refused = {}
    for spec in forms:
        if not spec.supports(product):
            own = (len(spec.own_dtypes(each.name, product)) for each in spec.tensors)
            refused[spec.operator] = next((count for count in own if count > 1), 1)
    cases = planned(product, "standard", *refused)
    assert {case.scene for case in cases} == {"product-unsupported"}
    assert all(PRODUCT_SUPPORT in case.clauses for case in cases)
    assert Counter(case.operator for case in cases) == refused
    ordinary = (case for each in PRODUCTS for case in planned(each, "smoke"))
    assert {case.twin for case in cases} <= {case.id for case in ordinary if case.scene == "base"}


@pytest.mark.parametrize(("tier", "products"), [("smoke", PRODUCTS), ("standard", PRODUCTS[:2])])
def test_valid_calls_follow_refused_ones(
    planned: Planned, tier: str, products: tuple[str, ...]
) -> None:
    """Whatever a refusal leaves behind meets a call that must work, in the same process."""
    for product in products:
        by_operator: dict[str, list[Case]] = {}
        for case in planned(product, tier):
            by_operator.setdefault(case.operator, []).append(case)
        for cases in by_operator.values():
            if any(case.expects_success for case in cases):
                assert cases[-1].expects_success
            changes = sum(
                not one.expects_success and two.expects_success
                for one, two in itertools.pairwise(cases)
            )
            valid = sum(case.expects_success for case in cases)
            refused = len(cases) - valid
            assert changes >= min(valid, refused) - 1 or refused == len(cases)


@pytest.mark.parametrize("operator", ["aclnnInplaceAddRelu", "aclnnAdaLayerNormV2"])
def test_a_refused_call_breaks_its_own_clause(
    specs: SpecSet, planned: Planned, operator: str
) -> None:
    """A change that is right after all, of an output in place or beside a null tensor, is none."""
    spec = specs.operator(operator)
    refused = [
        case for case in planned("atlas-a2", "standard", operator) if not case.expects_success
    ]
    assert refused
    assert not [case.id for case in refused if case.scene not in violated_ids(Call.of(spec, case))]


@pytest.mark.parametrize("operator", ["aclnnInplaceThreshold", "aclnnInplaceAddRelu"])
def test_types_that_have_a_common_one_keep_its_rule(
    specs: SpecSet, planned: Planned, operator: str
) -> None:
    """Whether that one is supported is another matter, which another row may state."""
    (own,) = (each for each in specs.operator(operator).errors if each.not_promotable)
    cases = planned("atlas-a2", "smoke", operator)
    refused = [case for case in cases if own.id in case.refused_by]
    assert refused
    for case in refused:
        scalars = [dtype for name, dtype in case.scalars.items() if name in own.names]
        tensors = [tensor.dtype for tensor in case.tensors if tensor.name in own.names]
        assert promote(tensors, scalars) is None, case.id


def test_a_scalar_of_another_type_breaks_a_requirement(planned: Planned) -> None:
    """float32 and complex64 have a common type, and no row of the page refuses it."""
    cases = planned("atlas-a2", "smoke", "aclnnInplaceThreshold")
    (bases,) = {
        (case.basis, case.statuses) for case in cases if case.scalars["threshold"] == "complex64"
    }
    assert bases == ("requirement", ())


def test_a_row_is_held_to_the_bound_that_it_states(specs: SpecSet, planned: Planned) -> None:
    """A weight of 2 axes where 1 is right is no tensor of more than 8, of which the row speaks."""
    cases = planned("atlas-a2", "standard", "aclnnAdaLayerNormBackward")
    own = [case.tensor("weightOptional") for case in cases if "rank-above-eight" in case.refused_by]
    assert 9 in {len(tensor.shape) for tensor in own}
    spec = specs.operator("aclnnAdaLayerNormBackward")
    wrong = [case for case in cases if case.scene == "weight-differs"]
    several = [case for case in wrong if len(case.tensor("weightOptional").shape) > 1]
    assert several
    assert all(violated_ids(Call.of(spec, case)) == ("weight-differs",) for case in several)


POOL = "aclnnMaxPool2dWithMaskBackward"


def null_details(specs: SpecSet, spec: OperatorSpec) -> set[str]:
    """Return what is wrong besides the null pointers of an operator's calls on atlas-a2."""
    facts = base_facts(factors_of(spec, specs.product("atlas-a2"), "smoke"))
    twin = Twin.of(spec, "atlas-a2", facts)
    nulls = [error for error in spec.errors if error.null_pointer]
    found = [item for error in nulls for item in violations(twin, error)]
    return {broken.detail.partition("+")[2] for broken, _ in found}


def test_a_twin_keeps_the_rules(specs: SpecSet) -> None:
    """A call beside which another is refused must work, so it breaks no rule."""
    spec, at = specs.operator("aclnnMseLoss"), specs.product("atlas-a2")
    losses = spec.rules[0].model_copy(update={"id": "no-sums", "require": parse("reduction == 0")})
    changed = spec.model_copy(update={"rules": [*spec.rules, losses]})
    cases = list(refused_cases(changed, at.id, factors_of(changed, at, "smoke")))
    passing = [case for case in cases if case.expects_success]
    assert "out-shape-differs" in {case.scene for case in cases}
    assert not [case.id for case in passing if unmet_requirements(Call.of(changed, case))]


def test_a_second_fault_is_one_on_the_product(specs: SpecSet) -> None:
    """A value that only another product refuses is not a second fault."""
    spec = specs.operator(POOL)
    first = next(index for index, error in enumerate(spec.errors) if error.assign is not None)
    elsewhere = spec.errors[first].model_copy(update={"products": ["atlas-a3"]})
    errors = [*spec.errors[:first], elsewhere, *spec.errors[first + 1 :]]
    changed = spec.model_copy(update={"errors": errors})
    gone = null_details(specs, spec) - null_details(specs, changed)
    assert len(gone) == 1
    empty = [error.model_copy(update={"assign": []}) if error.assign else error for error in errors]
    left = null_details(specs, spec.model_copy(update={"errors": empty}))
    assert left == null_details(specs, spec) - gone


def test_a_null_pointer_in_the_only_tensor(specs: SpecSet) -> None:
    """Where no other tensor can have a wrong type, the null pointer alone is wrong."""
    spec = specs.operator("aclnnLogitGrad")
    alone = [parameter for parameter in spec.parameters if parameter.name in ("x", "eps")]
    error = spec.errors[0].model_copy(update={"null_pointer": ["x"]})
    only = spec.model_copy(update={"parameters": alone, "errors": [error], "rules": []})
    assert null_details(specs, only) == {""}


def test_names_may_look_like_what_is_wrong(specs: SpecSet, tmp_path: Path) -> None:
    """out_1 is a tensor, and what an out of one element is called in ids."""
    text = MINIMAL.replace("golden: thing", "depth: contract").partition("precision:")[0]
    row = "  - {name: out_1, tensor: output, dtype: x.dtype, shape: x.shape}\n"
    path = tmp_path / "aclnnThing.yaml"
    text = text.replace("depth:", f"{row}depth:") + "factors:\n  attributes: {eps: [0.5]}\n"
    path.write_text(text, encoding="utf-8")
    spec, at = load_operator(path, specs.products, {}), specs.product("atlas-a2")
    cases = list(refused_cases(spec, at.id, factors_of(spec, at, "smoke")))
    wrong = [case for case in cases if case.scene == "shape-differs" and ".out_1" in case.id]
    changed = {each.name for case in wrong for each in case.tensors if each.shape != (4, 9)}
    assert changed == {"out", "out_1"}


def test_a_wrong_list_is_wrong_without_its_follower(planned: Planned) -> None:
    """A stride that is left out follows from a kernel of three numbers, which stay too many."""
    for operator in ("aclnnAvgPool2d", "aclnnMaxPool2dWithIndices"):
        stride = "strides" if operator == "aclnnAvgPool2d" else "stride"
        lists = {
            tuple(len(case.attributes[each] or ()) for each in ("kernelSize", stride))  # type: ignore[arg-type]
            for case in planned("ascend-950", "smoke", operator)
            if not case.expects_success
        }
        assert {(3, 0), (3, 2), (0, 0)} <= lists


def test_requirements_are_broken_beside_an_axis_from_the_end(planned: Planned) -> None:
    """A device may count such an axis differently where it checks what callers must keep."""
    for operator in ("aclnnSwiGlu", "aclnnSwiGluGrad", "aclnnRenorm"):
        assert any(
            (case.basis, case.attributes["dim"]) == ("requirement", -1) and ".dim_" not in case.id
            for case in planned("atlas-a2", "smoke", operator)
        )

# SPDX-License-Identifier: Apache-2.0
"""The catalog of faults and variants: what is refused, and what it has to hold."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.conftest import small_suite

from aclnn_cts.emit.kernels import is_of_elements
from aclnn_cts.emit.simulated import is_generated, simulated_text
from aclnn_cts.errors import WrongFileError, WrongInputError
from aclnn_cts.qualify.catalog import Catalog, Entry, FaultClass, load_catalog
from aclnn_cts.qualify.formula_edits import edits_of
from aclnn_cts.run.fault_injection import Kind
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.models import OperatorSpec
from aclnn_cts.suite import OperatorFolder, Suite, find_suite

GROUP: dict[str, Any] = {"operator": "aclnnLogitGrad"}
GOOD: dict[str, Any] = {
    "fault": "Something goes wrong.",
    "notices": ["formula"],
    "edits": {"1.0F - x": "2.0F - x"},
}
RIGHT: dict[str, Any] = {
    "variant": "It divides in another order.",
    "allows": ["division-within-one-ulp"],
    "edits": {"1.0F - x": "-x + 1.0F"},
}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(find_suite())


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the root of a suite with one simulated operator, whose catalog a test may write."""
    root = small_suite(tmp_path_factory.mktemp("suite"), "aclnnLogitGrad").root
    (root / "simulator" / "operators").mkdir(parents=True)
    source = find_suite().simulator / "operators" / "logit_grad.cpp"
    (root / "simulator" / "operators" / source.name).write_bytes(source.read_bytes())
    return root


def refusal(root: Path, wrong: str = "faults", **changed: Any) -> str:
    """Return what is said of a catalog with these files, one of them wrong."""
    files = {"variants": {"variants": []}, "faults": {"faults": [group({})]}, **changed}
    for key, content in files.items():
        (root / "simulator" / f"{key}.yaml").write_text(json.dumps(content))  # JSON is YAML, too
    file = root / "simulator" / f"{wrong}.yaml"
    with pytest.raises(WrongInputError) as refused:
        load_catalog(Suite(root))
    text = str(refused.value)
    assert re.match(rf"{re.escape(str(file))}:\d+: ", text), text
    return text


def group(change: dict[str, Any], name: str = "logit-x", **keys: Any) -> dict[str, Any]:
    """Return a group of one fault, or of one variant if the change is one."""
    device = {**(RIGHT if keys.pop("right", False) else GOOD), **change}
    return {**GROUP, **keys, "devices": {name: device}}


@pytest.mark.parametrize(
    ("change", "keys", "said"),
    [
        ({}, {"name": "Logit"}, "devices"),
        ({}, {"operator": "aclnnLogitGrat"}, "did you mean 'aclnnLogitGrad'"),
        ({}, {"operator": None}, "either `operator` or `part`"),
        ({}, {"part": "runtime"}, "either `operator` or `part`"),
        ({}, {"operator": None, "part": "runtime"}, "the operators whose cases run"),
        ({"notices": ["formulas"]}, {}, "did you mean 'formula'"),
        ({"notices": []}, {}, "`notices` is missing"),
        ({"product": "atlas-a9"}, {}, "unknown product"),
        ({"fault": "No."}, {}, "fault"),
        ({"wrong": 1}, {}, "unknown key 'wrong'"),
        ({"allows": ["unstated"]}, {}, "unknown key 'allows'"),
        ({"edits": {}}, {}, "edits"),
        ({"edits": {"../specs/x.h": {"a": "b"}}}, {}, "there is no simulator/../specs/x.h"),
        ({"edits": {"operators/logit.cpp": {"a": "b"}}}, {}, "there is no simulator/operators"),
        ({"edits": {"0.0F": "1.0F"}}, {}, "must occur once"),
        ({"edits": {"nowhere to be found": ""}}, {}, "occurs 0 times"),
        ({"edits": {"1.0F - x": "1.0F - x"}}, {}, "changes nothing"),
        ({"edits": {" ": "x"}}, {}, "occurs 0 times"),
        (
            {"edits": {"#include": "x"}},
            {"operator": None, "part": "layout"},
            "in the sources, must",
        ),
        ({"edits": {"1.0F - x": "2.0F", "(1.0F - x)": "3.0F"}}, {}, "occurs 0 times"),
    ],
)
def test_wrong_faults_are_refused(
    change: dict[str, Any], keys: dict[str, Any], said: str, copy: Path
) -> None:
    """Each with file and line: descriptions, and edits that do not fit, one after the other."""
    assert said in refusal(copy, faults={"faults": [group(change, **keys)]})


def test_no_fault_twice(copy: Path) -> None:
    """Two faults have neither one id nor the same edits."""
    groups = [group({}), group({}, "logit-y"), group({"edits": {"x < eps": "x <= eps"}})]
    text = refusal(copy, faults={"faults": groups})
    assert "logit-y: has the edits of logit-x" in text
    assert "logit-x: duplicate id" in text


@pytest.mark.parametrize(
    ("change", "name", "said"),
    [
        ({"allows": []}, "logit-y", "`allows` is missing"),
        ({"allows": ["division-by-reciprocals"]}, "logit-y", "mean 'division-by-reciprocal'"),
        ({"notices": ["formula"]}, "logit-y", "unknown key 'notices'"),
        ({}, "logit-x", "duplicate id"),
        ({"edits": GOOD["edits"]}, "logit-y", "has the edits of logit-x"),
    ],
)
def test_wrong_variants_are_refused(
    change: dict[str, Any], name: str, said: str, copy: Path
) -> None:
    """A variant says what makes it right, and is not a fault under another name."""
    variants = {"variants": [group(change, name, right=True)]}
    assert said in refusal(copy, "variants", variants=variants)


CLASS: dict[str, Any] = {
    "class": "zero-read",
    "each": "input",
    "fault": "{what} is read as zeros.",
    "bug": "A stride of zero.",
    "notices": ["{what}-non-contiguous", "formula"],
    "view": "tensor.strides.assign(tensor.shape.size(), 0);",
}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"each": "operators"}, "each"),
        ({"edits": {"(": ""}}, "not a regular expression"),
        ({"edits": {"no such text": ""}}, "applies to no operator"),
        ({"equivalent": {"No such one.": ["aclnnX.y"]}}, "no instance 'aclnnX.y'"),
    ],
)
def test_wrong_classes_are_refused(change: dict[str, Any], said: str, copy: Path) -> None:
    """With file and line, as faults written by hand."""
    assert said in refusal(copy, faults={"classes": [{**CLASS, **change}], "faults": [group({})]})


def test_a_folder_says_which_instances_are_no_faults_of_its_operators(
    copy: Path, tmp_path: Path
) -> None:
    """They are left out; of others' operators a folder says nothing."""
    for key, content in {
        "faults": {"classes": [CLASS], "faults": [group({})]},
        "variants": {},
    }.items():
        (copy / "simulator" / f"{key}.yaml").write_text(json.dumps(content or {"variants": []}))
    suite = Suite(copy, (OperatorFolder(tmp_path, "0"),))

    def stating(content: Any) -> set[str]:
        (tmp_path / "faults.yaml").write_text(json.dumps(content))
        return {each.id for each in load_catalog(suite).entries}

    def equivalent(key: str) -> dict[str, Any]:
        return {"equivalent": {CLASS["class"]: {"Made up for a test.": [key]}}}

    whole = {each.id for each in load_catalog(suite).entries}
    with pytest.raises(WrongFileError, match=r"faults.yaml:1: aclnnLogitGrad is no operator of"):
        stating(equivalent("aclnnLogitGrad.x"))
    (tmp_path / "aclnnLogitGrad.yaml").touch()
    assert whole - stating(equivalent("aclnnLogitGrad.x")) == {f"{CLASS['class']}.aclnnLogitGrad.x"}
    with pytest.raises(
        WrongFileError, match=r"no instance 'aclnnLogitGrad.z'; did you mean .*LogitGrad.x"
    ):
        stating(equivalent("aclnnLogitGrad.z"))
    with pytest.raises(WrongFileError, match=r"faults.yaml:1: .*classes"):
        stating({"classes": []})
    near = f"{CLASS['class']}s"
    with pytest.raises(WrongFileError, match=f"unknown class '{near}'; did you mean '{near[:-1]}'"):
        stating({"equivalent": {near: {"Made up for a test.": ["aclnnLogitGrad.x"]}}})
    # the folder may be somebody else's, and the message would quote a file of this host
    (tmp_path / "faults.yaml").unlink()
    (tmp_path / "faults.yaml").symlink_to(copy / "simulator" / "faults.yaml")
    with pytest.raises(WrongInputError, match=r"faults.yaml: is a link out of the folder"):
        load_catalog(suite)


def test_an_invalid_spec_leaves_out_its_own_entries(copy: Path, tmp_path: Path) -> None:
    """Those of other operators stay; whoever names the operator reads what is wrong with it."""
    shutil.copytree(copy / "simulator", tmp_path / "simulator")
    small_suite(tmp_path, "aclnnLogitGrad", "aclnnTanh")
    invalid = tmp_path / "specs" / "aclnnTanh.yaml"
    invalid.write_text(invalid.read_text().replace("summary:", "todo: [look]\nsummary:", 1))
    joint = {"operators/logit_grad.cpp": {"1.0F - x": "3.0F - x"}}
    joint_fault = GOOD | {"operators": ["aclnnTanh", "aclnnLogitGrad"], "edits": joint}
    faults = {
        "classes": [CLASS],
        "faults": [
            group({}),
            group({}, "tanh-x", operator="aclnnTanh"),
            {"part": "runtime", "devices": {"joint-x": joint_fault}},
        ],
    }
    for key, content in {"faults": faults, "variants": {"variants": []}}.items():
        (tmp_path / "simulator" / f"{key}.yaml").write_text(json.dumps(content))
    suite = Suite(tmp_path)
    found, specs = load_catalog(suite), load_specs(suite)
    assert [entry.id for entry in found.entries[-2:]] == ["logit-x", "joint-x"]
    assert found.entries[-1].tried_on == ("aclnnLogitGrad",)
    assert found.of(specs, ["aclnnLogitGrad"])
    with pytest.raises(WrongFileError, match=r"aclnnTanh.yaml:\d+: todo: look"):
        found.of(specs, ["aclnnTanh"])
    for name in ("tanh-x", "strides-ignored.aclnnTanh.self"):
        with pytest.raises(WrongFileError, match=r"aclnnTanh.yaml:\d+: todo: look"):
            found.entry(name, "fault")


NEWCOMER = """
using namespace simulator;

aclnnStatus aclnnHardswishBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                   const aclTensor *self, aclTensor *out,
                                                   uint64_t *size, aclOpExecutor **executor) {
  return PlanOperator("aclnnHardswishBackward", size, executor, [&] {
    RequireNotNull({gradOutput, self, out});
    RequireDataType({gradOutput, self, out}, {ACL_FLOAT, ACL_FLOAT16});
    return Work{0, [gradOutput = *gradOutput, self = *self, out = *out](void *) {
                  Map(out, Gradient, gradOutput, self);
                }};
  });
}
"""


def _instances(spec: OperatorSpec, source: str) -> dict[str, dict[str, str]]:
    text = (find_suite().simulator / "faults.yaml").read_text()
    kinds = map(FaultClass.model_validate, yaml.safe_load(text)["classes"])
    return {kind.name: dict(kind.instances(spec, source)) for kind in kinds}


def test_classes_apply_to_a_new_operator_by_themselves(specs: SpecSet) -> None:
    """A simulated operator gets faults of most classes without a line in the catalog."""
    spec = specs.operator("aclnnHardswishBackward")
    found = _instances(spec, NEWCOMER)
    per_tensor = {f"{spec.operator}.{name}" for name in ("gradOutput", "self", "out")}
    assert found["strides-ignored"].keys() == per_tensor
    # no row says that out must not be null
    assert found["null-as-invalid"].keys() == per_tensor - {f"{spec.operator}.out"}
    assert found["null-accepted"].keys() == found["null-as-invalid"].keys()
    assert found["output-not-written"].keys() == {f"{spec.operator}.out"}
    assert found["double-accepted"].keys() == {spec.operator}
    assert (
        "gradOutput = *gradOutput, self = Faulty(*self)"
        in (found["strides-ignored"][f"{spec.operator}.self"])
    )
    assert "{ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}" in found["double-accepted"][spec.operator]
    assert "RequireNotNull({gradOutput, out});" in found["null-accepted"][f"{spec.operator}.self"]
    # No workspace and no sum: nothing to be too small, nothing to be summed up in a narrow type.
    assert not found["workspace-halved"]
    assert not found["sum-in-float16"]
    assert sum(map(len, found.values())) >= 20


def test_no_device_is_faulty_for_accepting_what_the_page_lists(catalog: Catalog) -> None:
    """By the spec and not by a list, so it holds for operators in folders of their own, too."""
    found = {e.home for e in catalog.entries if e.fault_class == "double-accepted"}
    assert not {"aclnnSoftmax", "aclnnInplaceLeakyRelu", "aclnnBernoulli"} & found
    assert {"aclnnLeakyRelu", "aclnnLogitGrad"} <= found


def test_classes_apply_where_a_line_is_wrapped(specs: SpecSet) -> None:
    """A space in a pattern is any white space, wherever the formatter broke a statement."""
    kind = {
        "each": "place",
        "view": "",
        "place": r"if \((?P<what>\w+) == nullptr\)",
        "edits": {r"(?<!aclTensor )\*{what}, ?b": "0", "{what} == nullptr": "false"},
    }
    source = "if (weight ==\n    nullptr) return f(const aclTensor *weight, b, *weight,\n  b);"
    found = FaultClass.model_validate({**CLASS, **kind}).instances(
        specs.operator("aclnnNLLLoss"), source
    )
    ((key, text),) = found
    assert key == "aclnnNLLLoss.weight"
    assert text == "if (false) return f(const aclTensor *weight, b, 0);"


@pytest.mark.parametrize(
    ("operator", "fault", "tensors"),
    [
        ("aclnnDeepNorm", "strides-ignored", ["x"]),  # outputs must be contiguous
        ("aclnnDeepNorm", "null-accepted", ["x", "meanOut"]),  # one of each
        ("aclnnInplaceRenorm", "output-not-written", []),  # what it held before is finite, too
        ("aclnnInplaceRenorm", "outside-written", ["selfRef"]),
    ],
)
def test_contracts_have_the_faults_that_they_can_show(
    specs: SpecSet, operator: str, fault: str, tensors: list[str]
) -> None:
    """No more than one of each kind for the inputs, and one for the outputs."""
    spec = specs.operator(operator)
    found = _instances(spec, simulated_text(spec))[fault]
    assert list(found) == [f"{operator}.{name}" for name in tensors]


def test_an_edit_may_leave_out_and_keep_text(catalog: Catalog) -> None:
    """White space matches any white space, "…" in the old text anything, in the new one that."""
    source = (find_suite().simulator / "operators" / "logit_grad.cpp").read_text()
    kept = catalog.change("logit-eps-kept-by-shape").sources["operators/logit_grad.cpp"]
    assert "#include <limits>\n#include <map>" in kept
    assert len(kept) > len(source)


def test_an_edit_of_a_check_leaves_one_that_begins_alike(catalog: Catalog) -> None:
    """The check of positive numbers and that of extents come before that of their bounds."""
    (text,) = catalog.change(
        "adaptive-avg-pool-takes-more-windows-than-elements", "variant"
    ).sources.values()
    assert "the numbers of outputSize are above 0" in text
    assert "the extents of self are above 0" in text
    assert "not beyond the extents of self" not in text


@pytest.mark.parametrize(
    ("name", "kind", "path"),
    [
        ("dropout-scale-one-masked", "fault", "operators/dropout_backward.cpp"),
        ("glu-even-and-odd", "fault", "operators/glu.h"),
        ("sums-one-by-one", "variant", "src/nnopbase/sums.h"),
    ],
)
def test_an_edit_finds_its_source(catalog: Catalog, name: str, kind: Kind, path: str) -> None:
    """That of the operator, of its kernel, or one that operators share."""
    assert catalog.change(name, kind).sources.keys() == {path}


@pytest.mark.parametrize(
    ("name", "offered"),
    [
        ("logit-upper-bound-excludedx", "did you mean 'logit-upper-bound-excluded'"),
        (
            "strides-ignored.aclnnPreluBackward.wait",
            "did you mean 'strides-ignored.aclnnPreluBackward.weight'",
        ),
        ("strids", "stride"),
        ("nan", "did you mean 'logit-nan-eps-like-none' or 'prelu-nan-"),
        ("nosuch", "unknown fault 'nosuch'; `aclnn-cts faults --all` lists all"),
    ],
)
def test_unknown_fault_is_offered_near_ones(catalog: Catalog, name: str, offered: str) -> None:
    """A few that are written alike, or hold the word, and the command that lists all of them."""
    with pytest.raises(WrongInputError) as refused:
        catalog.change(name)
    assert offered in str(refused.value)


def of_kind(catalog: Catalog, kind: str) -> list[Entry]:
    return [entry for entry in catalog.entries if entry.kind == kind]


def test_no_fault_shares_a_container_between_threads() -> None:
    """A fault that keeps one between calls is reproducible: no data race makes it crash."""
    text = (find_suite().simulator / "faults.yaml").read_text(encoding="utf-8")
    kept = re.findall(r"\bstatic (?:thread_local )?(?:std::|auto\b)[^;{(]*", text)
    assert kept
    assert [each for each in kept if "thread_local" not in each] == []


def test_the_catalog_is_large_enough(catalog: Catalog, specs: SpecSet) -> None:
    """At least 120 faults: 15 for each tested operator, 20 for layout and runtime together.

    An operator in place has the kernel of another one, and fewer tensors; one that is tested by
    its contract alone has no faults of values.
    """
    faults = of_kind(catalog, "fault")
    homes = Counter(fault.home for fault in faults)
    assert len(faults) >= 120
    least = {
        spec.operator: 7 if spec.is_contract else 10 if spec.outputs[0].is_input else 15
        for spec in specs.tested_operators
    }
    assert all(homes[operator] >= count for operator, count in least.items())
    assert homes["layout"] + homes["runtime"] >= 20


def test_every_class_applies_to_every_operator_that_it_can(
    catalog: Catalog, specs: SpecSet
) -> None:
    """Each tested operator has those of its values, and where it takes views, those of layouts."""
    ids: set[tuple[str, str]] = {
        (entry.home, entry.fault_class) for entry in catalog.entries if entry.fault_class
    }
    of_layout = ("strides-ignored", "offset-ignored")
    of_values = ("output-not-written", "input-overwritten")
    spec: OperatorSpec
    for spec in specs.tested_operators:
        in_place = any(each.is_input and each.is_output for each in spec.tensors)
        hidden = spec.is_contract and in_place
        of_views = of_layout if any(each.non_contiguous for each in spec.tensors) else ()
        classes = of_views if hidden else (*of_views, *of_values[: 1 + bool(spec.inputs)])
        assert {(spec.operator, name) for name in classes} <= ids


def test_a_class_is_played_on_a_product_that_has_the_operator(
    catalog: Catalog, specs: SpecSet
) -> None:
    """Elsewhere every call is refused, and nothing shows."""
    played = {(each.home, each.product) for each in catalog.entries if each.fault_class}
    assert all(specs.operator(name).supports(product) for name, product in played)


def test_there_are_variants_enough(catalog: Catalog, specs: SpecSet) -> None:
    """At least two correct devices are tried on each operator with values."""
    homes = Counter(name for each in of_kind(catalog, "variant") for name in each.tried_on)
    of_values = [s for s in specs.tested_operators if s.second_of is None and not s.is_contract]
    few = {spec.operator for spec in of_values if homes[spec.operator] < 2}
    only_choose = {
        spec.operator
        for spec in of_values
        if {name for item in spec.precision for name in item.allowances} <= {"subnormals-flushed"}
    }
    assert "aclnnRelu" in few <= only_choose


def test_a_fault_is_no_variant(catalog: Catalog) -> None:
    """Each kind is asked for by its own name; what is made says which it is."""
    fault, variant = catalog.ids("fault")[0], catalog.ids("variant")[0]
    assert catalog.change(fault).kind == "fault"
    assert catalog.change(variant, "variant").kind == "variant"
    with pytest.raises(WrongInputError, match="unknown fault"):
        catalog.change(variant)
    with pytest.raises(WrongInputError, match="unknown variant"):
        catalog.change(fault, "variant")


def test_each_device_is_its_own(catalog: Catalog) -> None:
    """No two entries of a home make the same device, and no two are the same in words.

    Operators that share a kernel have the same ones.
    """
    assert max(Counter((entry.id, entry.kind) for entry in catalog.entries).values()) == 1
    assert len({(each.home, each.change.digest) for each in catalog.entries}) == len(
        catalog.entries
    )
    told = {(fault.home, fault.what) for fault in of_kind(catalog, "fault")}
    assert len(told) == len(of_kind(catalog, "fault"))


def test_formulas_make_faults(catalog: Catalog, specs: SpecSet) -> None:
    """Edits of each formula whose elements follow from those of the inputs, if it has any.

    A single test of an input, such as isfinite, has nothing to be edited.
    """
    suite = find_suite()
    of_elements = {
        spec.operator
        for spec in specs.tested_operators
        if is_of_elements(spec) and is_generated(spec, suite) and any(edits_of(spec))
    }
    edits = [entry for entry in catalog.entries if entry.fault_class == "formula-edits"]
    assert {entry.home for entry in edits} == of_elements
    assert all(entry.kind == "fault" and entry.formula for entry in edits)
    (edit,) = (entry for entry in edits if entry.home == "aclnnErfc")
    assert edit.id == "formula-edits.aclnnErfc.function-1"
    assert edit.what == "out is computed as `self`."
    (source,) = edit.change.sources.values()
    assert "return self;" in source


def test_allowances_make_variants(catalog: Catalog, specs: SpecSet) -> None:
    """Of each formula of elements whose spec names them, where the device computes otherwise."""
    by_class: dict[str, set[str]] = {}
    for entry in of_kind(catalog, "variant"):
        if entry.fault_class:
            by_class.setdefault(entry.fault_class, set()).add(entry.home)
            spec = specs.operator(entry.home)
            named = {name for item in spec.precision for name in item.allowances}
            always = {name for name, own in specs.allowances.items() if own.always}
            assert named | always >= {*entry.allows}
    assert {"aclnnSilu", "aclnnErfc", "aclnnMseLoss"} <= by_class["in-double"]
    assert "aclnnSilu" in by_class["by-reciprocal"]
    assert "aclnnTanh" not in by_class["by-reciprocal"]  # it divides nothing
    assert "aclnnLogitGrad" not in set().union(*by_class.values())  # it is by hand

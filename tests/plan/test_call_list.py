# SPDX-License-Identifier: Apache-2.0
"""Call lists: what cases they make, and where a wrong list is refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from aclnn_cts.errors import WrongInputError
from aclnn_cts.golden.data_kinds import make_data
from aclnn_cts.golden.inputs import make_inputs
from aclnn_cts.plan.call_list import CallList, call_list_text, cases_of_list
from aclnn_cts.plan.cases import BELL, BETWEEN, NAN, Fill
from aclnn_cts.repro.minimize import candidate_of
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.model_files import read_model

LOGIT = """\
calls:
  - name: one
    operator: aclnnLogitGrad
    tensors:
      x: {dtype: float16, shape: [3, 5], data: [0.25, 0.5]}
      dy: {dtype: float16, shape: [3, 5], data: nan}
    attributes: {eps: 0.125}
"""
POOL = """\
calls:
  - name: pool
    operator: aclnnMaxPool2dWithMaskBackward
    tensors:
      self: {dtype: float32, shape: [1, 2, 8, 8]}
      gradOutput: {dtype: float32, shape: [1, 2, 4, 4], data: normal}
    attributes: {kernelSize: [2, 2], stride: [2, 2], padding: [0, 0], dilation: [1, 1],
      ceilMode: false}
"""
ENTROPY = """\
calls:
  - name: without-weight
    operator: aclnnBinaryCrossEntropy
    tensors:
      self: {dtype: float16, shape: [3, 5], data: [0.25, 0.5]}
      target: {dtype: float16, shape: [3, 5], data: [0, 1]}
    attributes: {reduction: 1}
"""
GROUPS = """\
calls:
  - name: groups
    operator: aclnnGroupNormSwishGrad
    tensors:
      dy: {dtype: float32, shape: [2, 6, 5]}
      x: {dtype: float32, shape: [2, 6, 5]}
      gamma: {dtype: float32, shape: [6]}
      beta: {dtype: float32, shape: [6]}
    attributes: {numGroups: 3, dataFormatOptional: NCHW, swishScale: 1.0, dgammaIsRequire: true,
      dbetaIsRequire: true}
"""
LISTS = """\
calls:
  - name: lists
    operator: aclnnForeachMulListInplace
    tensors:
      x1: [{dtype: float16, shape: [3, 5], data: [1, 2]}, {dtype: float16, shape: [7]},
           {dtype: float16, shape: [2, 3], view: {strides: [1, 2], storage: [8]}}]
      x2: [{dtype: float16, shape: [3, 5]}, {dtype: float16, shape: [7], data: nan},
           {dtype: float16, shape: [2, 3]}]
"""
SAME = """\
calls:
  - name: same
    operator: aclnnMul
    tensors:
      self: {dtype: float32, shape: [3, 5], data: [2, 3]}
      other: {dtype: float32, shape: [3, 5], memory_of: self}
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "calls.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_optional_tensor_may_be_left_out(specs: SpecSet, tmp_path: Path) -> None:
    """The call then passes a null pointer."""
    (case,) = cases_of_list(specs, write(tmp_path, ENTROPY), "atlas-a2")
    assert case.tensor("weight").source == "null"
    assert "weight-absent" in case.clauses


def test_a_listed_call_is_a_case_like_any(specs: SpecSet, tmp_path: Path) -> None:
    """Stated are shapes, types, data and attributes; outputs and clauses follow from the spec."""
    (case,) = cases_of_list(specs, write(tmp_path, LOGIT), "atlas-a2")
    x, dy, out = case.tensors
    assert (x.shape, x.dtype, x.fill and x.fill.thresholds) == ((3, 5), "float16", (0.25, 0.5))
    assert (dy.fill and dy.fill.kind, out.shape, out.role) == (NAN, (3, 5), "output")
    assert case.attributes == {"eps": 0.125}
    assert case.expects_success
    assert {"x-dtype", "dy-shape", "determinism", "inputs-unchanged"} < set(case.clauses)
    data = make_inputs(specs, case)
    assert bool(np.isnan(data["dy"].astype(float)).all())
    assert 0.25 <= data["x"].min() <= data["x"].max() <= 0.5


@pytest.mark.parametrize(
    ("text", "name", "source"), [(POOL, "indices", "producer"), (GROUPS, "mean", "data")]
)
def test_inputs_that_others_make_may_be_left_out(
    specs: SpecSet, tmp_path: Path, text: str, name: str, source: str
) -> None:
    """A mask of a forward operator, and statistics, follow from the other inputs."""
    (case,) = cases_of_list(specs, write(tmp_path, text), "atlas-a2")
    assert case.tensor(name).source == source


def test_a_view_is_that_of_the_list(specs: SpecSet, tmp_path: Path) -> None:
    """Strides, offset and storage; a smaller case, of another shape, need not have it."""
    view = "view: {strides: [1, 3], offset: 2, storage: [4, 6]}}"
    (case,) = cases_of_list(specs, write(tmp_path, LOGIT.replace("data: nan}", view)), "atlas-a2")
    dy = case.tensor("dy")
    assert (dy.strides, dy.offset, dy.storage) == ((1, 3), 2, (4, 6))
    (other,) = cases_of_list(specs, write(tmp_path, LOGIT), "atlas-a2")
    assert case.digest != other.digest
    spec = specs.operator(case.operator)
    assert candidate_of(spec, case) is not None


@pytest.mark.parametrize(
    ("scalars", "wrong"),
    [
        ("[2.5, -1]", ""),
        ("[2.5]", "lists have 1 and 2 members"),
        ("2.5", "scalars is not of the type scalars"),
        ("[2.5, one]", "scalars is not of the type scalars"),
    ],
)
def test_each_place_has_its_scalar(
    specs: SpecSet, tmp_path: Path, scalars: str, wrong: str
) -> None:
    tensors = "[{dtype: float16, shape: [3]}, {dtype: float16, shape: [2, 2]}]"
    text = f"""\
calls:
  - name: scalars
    operator: aclnnForeachDivScalarList
    tensors: {{x: {tensors}}}
    attributes: {{scalars: {scalars}}}
"""
    path = write(tmp_path, text)
    if wrong:
        with pytest.raises(WrongInputError, match=wrong):
            cases_of_list(specs, path, "atlas-a2")
        return
    (case,) = cases_of_list(specs, path, "atlas-a2")
    assert case.attributes == {"scalars": (2.5, -1.0)}
    assert [each.case.attributes["scalars"] for each in case.slices] == [2.5, -1.0]


def test_lists_are_those_of_the_call(specs: SpecSet, tmp_path: Path) -> None:
    """Shapes, layouts and data of each place; nothing is added beside them."""
    (case,) = cases_of_list(specs, write(tmp_path, LISTS), "ascend-950")
    first, second = case.members("x1"), case.members("x2")
    assert [tensor.shape for tensor in first] == [(3, 5), (7,), (2, 3)]
    assert [tensor.shape for tensor in second] == [(3, 5), (7,), (2, 3)]
    assert [tensor.strides for tensor in first] == [(5, 1), (1,), (1, 2)]
    assert [each.fill and each.fill.kind for each in (first[0], second[1])] == [BETWEEN, NAN]
    data = make_inputs(specs, case)
    assert bool((data["x1[0]"] >= 1).all() and (data["x1[1]"] < 1).any())


def test_a_tensor_may_be_passed_twice(specs: SpecSet, tmp_path: Path) -> None:
    """One memory, with the data of the first."""
    (case,) = cases_of_list(specs, write(tmp_path, SAME), "atlas-a2")
    assert case.tensor("other").shares == "self"
    data = make_inputs(specs, case)
    assert data["self"].tobytes() == data["other"].tobytes()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("memory_of: self", "memory_of: other", "no earlier input"),
        ("memory_of: self", "memory_of: out", "no earlier input"),
        ("[3, 5], memory_of", "[5], memory_of", "cannot be in the storage of self"),
        ("aclnnMul", "aclnnSub", "nothing could differ"),
    ],
)
def test_a_memory_that_a_tensor_cannot_have(
    specs: SpecSet, tmp_path: Path, old: str, new: str, said: str
) -> None:
    text = SAME.replace(old, new)
    text += "    attributes: {alpha: 1.0}\n" if new == "aclnnSub" else ""
    with pytest.raises(WrongInputError, match=rf"calls\.yaml:2: same: .*{said}"):
        cases_of_list(specs, write(tmp_path, text), "atlas-a2")


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("shape: [2, 3]}]", "shape: [2, 4]}]", 2, "x2-shape"),
        (",\n           {dtype: float16, shape: [2, 3]}]", "]", 2, "2 and 3 members"),
        ("shape: [7], data", "shape: [7], format: odd, data", 7, "format"),
    ],
)
def test_wrong_lists(
    specs: SpecSet, tmp_path: Path, old: str, new: str, line: int, said: str
) -> None:
    assert old in LISTS
    path = write(tmp_path, LISTS.replace(old, new))
    with pytest.raises(WrongInputError) as refused:
        cases_of_list(specs, path, "ascend-950")
    assert f"{path}:{line}: " in str(refused.value)
    assert said in str(refused.value)


def test_one_tensor_is_no_list(specs: SpecSet, tmp_path: Path) -> None:
    text = SAME.replace(
        "{dtype: float32, shape: [3, 5], data: [2, 3]}", "[{dtype: float32, shape: [3]}]"
    )
    with pytest.raises(WrongInputError, match="self is one tensor"):
        cases_of_list(specs, write(tmp_path, text), "atlas-a2")


def test_an_output_in_place_has_each_element_once(specs: SpecSet, tmp_path: Path) -> None:
    text = """\
calls:
- name: one
  operator: aclnnInplaceRelu
  tensors:
    selfRef: {dtype: float32, shape: [3, 5], view: {strides: [0, 1], storage: [5]}}
"""
    with pytest.raises(WrongInputError, match=r"calls\.yaml:2: .*selfRef is written"):
        cases_of_list(specs, write(tmp_path, text), "atlas-a2")


def test_an_id_is_the_calls_own(specs: SpecSet, tmp_path: Path) -> None:
    """Neither its place in the list nor its neighbours change a case; its content does."""
    first = cases_of_list(specs, write(tmp_path, LOGIT), "atlas-a2")[0].id
    entry = LOGIT.removeprefix("calls:\n")
    other = entry.replace("one", "two").replace("0.125", "0.25")
    found = [
        case.id
        for case in cases_of_list(specs, write(tmp_path, f"calls:\n{other}{entry}"), "atlas-a2")
    ]
    assert found[1] == first
    assert found[0].rsplit(".", 1)[1] != first.rsplit(".", 1)[1]


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    """A call list that a command writes says what its calls say."""
    calls, _ = read_model(write(tmp_path, LOGIT.replace("0.5]", ".inf]")), CallList)
    again, _ = read_model(write(tmp_path, call_list_text(calls.calls)), CallList)
    assert again == calls


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("aclnnLogitGrad", "aclnnLogitGrat", 2, "aclnnLogitGrad"),
        ("      dy:", "      y:", 2, "'y'"),
        ("      dy: {dtype: float16, shape: [3, 5], data: nan}\n", "", 2, "dy is missing"),
        ("{eps: 0.125}", "{}", 2, "eps is missing"),
        ("{eps: 0.125}", "{eps: small}", 2, "eps"),
        ("{eps: 0.125}", "{eps: 0.125, alpha: 1}", 2, "'alpha'"),
        ("dy: {dtype: float16", "dy: {dtype: float32", 2, "dy"),
        ("dy: {dtype: float16, shape: [3, 5]", "dy: {dtype: float16, shape: [3, 4]", 2, "dy"),
        ("[0.25, 0.5]", "[0.5, 0.25]", 2, "order"),
        ("[0.25, 0.5]", "[0.5, .inf]", 2, "infinite"),
        ("[0.25, 0.5]", "[.nan, 0.5]", 2, "order"),
        ("[0.25, 0.5]", "bits", 2, "bits"),
        ("[0.25, 0.5]", "{mean: 1}", 5, "deviation"),
        ("[0.25, 0.5]", "{mean: 1, deviation: -1}", 5, "deviation"),
        ("{eps: 0.125}", "{eps: 0.125}\n    dtypes: {x: float16}", 2, "'x'"),
        ("{eps: 0.125}", "{eps: 0.125}\n    dtypes: {out: float32}", 2, "out"),
        ("[3, 5]", "[1099511627776, 5]", 2, "elements"),
        ("[3, 5], data: [", "[3, -5], data: [", 5, "shape"),
        ("float16, shape: [3, 5], data: [", "fp16, shape: [3, 5], data: [", 5, "fp16"),
        ("name: one", "name: ../one", 2, "name"),
        ("    operator", "    launch: 3\n    operator", 3, "launch"),
        ("calls:", "cases:", 1, "calls"),
        ("data: nan}", "view: {strides: [6, 1], storage: [15]}}", 2, "dy does not lie within"),
        ("data: nan}", "view: {strides: [1], storage: [15]}}", 2, "dy does not lie within"),
        ("data: nan}", "view: {strides: [-5, 1], storage: [15]}}", 6, "strides"),
    ],
)  # fmt: skip
def test_a_wrong_list_is_refused_with_its_line(
    specs: SpecSet, tmp_path: Path, old: str, new: str, line: int, said: str
) -> None:
    """File, line and name of what is wrong; nothing of the list is run."""
    assert old in LOGIT
    path = write(tmp_path, LOGIT.replace(old, new, 1))
    with pytest.raises(WrongInputError) as refused:
        cases_of_list(specs, path, "atlas-a2")
    assert str(refused.value).startswith(f"{path}:{line}: ")
    assert said in str(refused.value)


GATHER = """\
calls:
  - name: places
    operator: aclnnGather
    tensors:
      self: {dtype: float32, shape: [4, 9]}
      index: {dtype: int64, shape: [2, 9]}
    attributes: {dim: 0}
"""


def test_an_index_has_places_without_being_told(specs: SpecSet, tmp_path: Path) -> None:
    (case,) = cases_of_list(specs, write(tmp_path, GATHER), "atlas-a2")
    index = make_inputs(specs, case)["index"]
    assert index.min() >= -4
    assert index.max() < 4


@pytest.mark.parametrize(
    ("shape", "data"),
    [("[2, 9]", "[0, 90]"), ("[2, 9]", "uniform"), ("[4, 9]", "places")],
)
def test_an_index_has_no_other_data(specs: SpecSet, tmp_path: Path, shape: str, data: str) -> None:
    stated = GATHER.replace(f"shape: {shape}}}", f"shape: {shape}, data: {data}}}")
    path = write(tmp_path, stated)
    with pytest.raises(WrongInputError, match=r":2: .* has .* as data"):
        cases_of_list(specs, path, "atlas-a2")


def test_inputs_that_no_file_can_hold_are_refused(specs: SpecSet, tmp_path: Path) -> None:
    """A record of more bytes than NumPy can describe is a reason, not a traceback."""
    path = write(tmp_path, LOGIT.replace("[3, 5]", "[300000, 2000]"))
    with pytest.raises(WrongInputError, match=r"2,400,000,000 bytes; a case has at most"):
        cases_of_list(specs, path, "atlas-a2")


def test_a_call_twice_is_refused(specs: SpecSet, tmp_path: Path) -> None:
    """One call under two names would count twice."""
    entry = LOGIT.removeprefix("calls:\n")
    path = write(tmp_path, LOGIT + entry.replace("one", "two"))
    with pytest.raises(
        WrongInputError, match=r":8: two is the same call as LogitGrad\.listed\.one"
    ):
        cases_of_list(specs, path, "atlas-a2")


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [("shape", "[1.5]", "ints"), ("prob", "true", "double"), ("seed", "0.5", "int64"),
     ("probDataType", "[1]", "dtype"), ("probDataType", "float", "dtype")],
)  # fmt: skip
def test_values_have_the_type_of_their_attribute(
    specs: SpecSet, tmp_path: Path, name: str, value: str, kind: str
) -> None:
    """Anything may be in a list; what no attribute can be is refused by its name."""
    values = {"shape": "[8]", "prob": "0.5", "seed": "1", "offset": "2", "probDataType": "float32"}
    given = ", ".join(f"{own}: {text}" for own, text in {**values, name: value}.items())
    text = "calls:\n  - name: one\n    operator: aclnnDropoutGenMaskV2\n    tensors: {}\n"
    path = write(tmp_path, f"{text}    attributes: {{{given}}}\n")
    with pytest.raises(WrongInputError, match=f"{name} is not of the type {kind}"):
        cases_of_list(specs, path, "atlas-a2")


@pytest.mark.parametrize(
    ("product", "data"), [("atlas-training", "nan"), ("atlas-training", "[.inf, .inf]")]
)
def test_a_product_without_inf_and_nan_is_given_none(
    specs: SpecSet, tmp_path: Path, product: str, data: str
) -> None:
    """Nothing is promised there of such data."""
    text = LOGIT.replace("aclnnLogitGrad", "aclnnDropoutBackward").replace("x:", "gradOutput:")
    text = text.replace(
        "      dy: {dtype: float16, shape: [3, 5], data: nan}",
        "      mask: {dtype: uint8, shape: [16]}",
    )
    text = text.replace("{eps: 0.125}", "{scale: 2.0}")
    assert cases_of_list(specs, write(tmp_path, text), product)
    with pytest.raises(WrongInputError, match="gradOutput holds"):
        cases_of_list(specs, write(tmp_path, text.replace("[0.25, 0.5]", data)), product)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "uint8", "int32"])
def test_data_between_bounds(dtype: str) -> None:
    """Values fill the interval; of integers both bounds occur."""
    data = make_data(Fill(BETWEEN, (3.0, 6.0), "seed"), (4000,), dtype).astype(np.float64)
    assert (data.min(), data.max()) == pytest.approx((3, 6), abs=0.02)
    if dtype in ("uint8", "int32"):
        assert set(data) == {3.0, 4.0, 5.0, 6.0}


@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_data_with_moments(dtype: str) -> None:
    """They have the mean and the deviation that a list states."""
    data = make_data(Fill(BELL, (10.0, 3.0), "seed"), (4000,), dtype).astype(np.float64)
    assert (data.mean(), data.std()) == pytest.approx((10, 3), rel=0.05)


@pytest.mark.parametrize("value", [2.5, 0.0, math.inf, -math.inf])
def test_equal_bounds_are_a_value(value: float) -> None:
    """Each element is that value."""
    data = make_data(Fill(BETWEEN, (value, value), "seed"), (40,), "float32")
    assert set(data.tolist()) == {value}


def test_bounds_whose_difference_is_no_number() -> None:
    """Bounds of the largest magnitudes give finite data."""
    data = make_data(Fill(BETWEEN, (-3.4e38, 3.4e38), "seed"), (400,), "float32")
    assert bool(np.isfinite(data).all())
    assert data.min() < -1e38 < 1e38 < data.max()


def test_a_text_is_one_line(specs: SpecSet, tmp_path: Path) -> None:
    """A newline would add a line to a case file; it is refused with the list's file and line."""
    text = "calls:\n  - name: one\n    operator: aclnnGroupNormSwishGrad\n    tensors: {}\n"
    path = write(tmp_path, text + '    attributes: {dataFormatOptional: "NCHW\\nscratch 1"}\n')
    told = r":2: .*dataFormatOptional is not of the type string, of printable characters"
    with pytest.raises(WrongInputError, match=told):
        cases_of_list(specs, path, "atlas-a2")

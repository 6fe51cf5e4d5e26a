# SPDX-License-Identifier: Apache-2.0
"""Input data on disk: readable with plain NumPy, vouched for, and made again when in doubt."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from aclnn_cts.emit import data_files
from aclnn_cts.emit.data_files import DataStore, Workers, inputs_of, recipe_digest, record_type
from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.golden import data_kinds
from aclnn_cts.golden.inputs import make_inputs
from aclnn_cts.plan.calls import PlannedCall
from aclnn_cts.plan.case_builder import build_case
from aclnn_cts.plan.cases import Case, Intent
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import find_suite

PLANNED = Callable[..., tuple[Case, ...]]


def a_case(
    specs: SpecSet, dtype: str = "bfloat16", shape: tuple[int, ...] = (3, 5), kind: str = "wide"
) -> Case:
    facts = {"shape:x": shape, "dtype:x": dtype, "attribute:eps": -1.0, "fill:x": kind}
    return build_case(
        PlannedCall.of(specs.operator("aclnnLogitGrad"), "atlas-a2", facts), Intent("base", "smoke")
    )


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_numpy_shows_the_inputs(specs: SpecSet, tmp_path: Path, dtype: str) -> None:
    """A field for each input, in view shape; bfloat16 as its 16 bits; payload as referenced."""
    case = a_case(specs, dtype)
    reference = DataStore(tmp_path).provide(specs, [case])[case.id]
    path = tmp_path / str(reference.path)
    record = np.load(path, allow_pickle=False)
    made = make_inputs(specs, case)
    assert record.dtype.names == ("x", "dy")
    for name in ("x", "dy"):
        assert record[name].shape == (3, 5)
        assert record[name].dtype == (np.uint16 if dtype == "bfloat16" else dtype)
        assert record[name].tobytes() == made[name].tobytes()
        field = reference.fields[name]
        payload = path.read_bytes()[-reference.payload :]
        assert payload[field.offset : field.offset + field.size] == made[name].tobytes()
    back = inputs_of(case, tmp_path, reference)
    assert {n: a.tobytes() for n, a in back.items()} == {n: a.tobytes() for n, a in made.items()}
    assert back["x"].dtype == case.tensor("x").data_type.numpy


@pytest.mark.parametrize("kind", ["unit-interval", "exact", "special"])
def test_memory_follows_from_a_block(
    specs: SpecSet, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of 16 MiB is made, vouched for and read in a fraction of that memory."""
    monkeypatch.setattr(data_kinds, "SORTED", 1 << 15)
    case = a_case(specs, "float32", (1 << 21,), kind)
    tracemalloc.start()
    try:
        references = DataStore(tmp_path).provide(specs, [case])
        inputs = inputs_of(case, tmp_path, references[case.id])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1 << 22
    made = make_inputs(specs, case)
    for name, array in made.items():
        np.testing.assert_array_equal(inputs[name].view(np.uint32), array.view(np.uint32))


@pytest.mark.parametrize(("layout", "kind"), [("expanded", ""), ("", "derived")])
def test_data_that_repeat_or_follow(
    planned: PLANNED, specs: SpecSet, tmp_path: Path, layout: str, kind: str
) -> None:
    """What is written is what is made, for strides of 0 and for derived data, too."""
    case = next(
        case
        for case in planned("atlas-a2", "smoke")
        for tensor in case.inputs
        if tensor.source == "data" and tensor.fill is not None and tensor.numel > 1
        if layout == tensor.layout or kind == tensor.fill.kind
    )
    made = make_inputs(specs, case)
    reference = DataStore(tmp_path).provide(specs, [case])[case.id]
    back = inputs_of(case, tmp_path, reference)
    assert {n: a.tobytes() for n, a in back.items()} == {n: a.tobytes() for n, a in made.items()}


def test_references_of_a_plan_are_cached(
    specs: SpecSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same without a look at the data, unless a file is gone or the specs differ."""
    case, store = a_case(specs), tmp_path / "data"
    first = DataStore(store, "specs").provide(specs, [case])
    with monkeypatch.context() as patched:
        patched.setattr(data_files, "settle", None)
        assert DataStore(store, "specs").provide(specs, [case]) == first
        with pytest.raises(TypeError):
            DataStore(store, "other specs").provide(specs, [case])
    (store / str(first[case.id].path)).unlink()
    assert DataStore(store, "specs").provide(specs, [case]) == first
    assert (store / str(first[case.id].path)).is_file()


def test_several_processes_make_the_same_data(
    specs: SpecSet, planned: PLANNED, tmp_path: Path
) -> None:
    """In the order of the cases; a plan whose references are cached is among them."""
    operators = ("aclnnLogitGrad", "aclnnAbs", "aclnnPreluBackward")
    cases = [case for name in operators for case in planned("atlas-training", "smoke", name)]
    stores = [DataStore(tmp_path / name / "data", "digest") for name in ("alone", "workers")]
    stores[1].provide(specs, planned("atlas-training", "smoke", "aclnnAbs"))
    alone = list(stores[0].provide_all(specs, cases))
    assert list(stores[1].provide_all(specs, cases, Workers(find_suite(), 2))) == alone
    names = [sorted(path.name for path in store.folder.rglob("*.npy")) for store in stores]
    assert names[0] == names[1]


def test_made_once(specs: SpecSet, tmp_path: Path) -> None:
    """The second time nothing is written, and the references are the same."""
    case = a_case(specs)
    first = DataStore(tmp_path).provide(specs, [case])
    files = {path: path.stat().st_ino for path in tmp_path.rglob("*.*") if path.name[0] != "."}
    assert len(files) == 1
    assert DataStore(tmp_path).provide(specs, [case]) == first
    assert files == {path: path.stat().st_ino for path in files}


def test_an_altered_byte_is_refused(specs: SpecSet, tmp_path: Path) -> None:
    """A judgement does not take a file that is not what was written, and no later run gets it."""
    case = a_case(specs)
    reference = DataStore(tmp_path).provide(specs, [case])[case.id]
    path = tmp_path / str(reference.path)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(NotTrustworthyError, match="changed since the run"):
        inputs_of(case, tmp_path, reference)
    with pytest.raises(NotTrustworthyError, match="cannot be read"):
        inputs_of(case, tmp_path, reference)
    assert DataStore(tmp_path).provide(specs, [case])[case.id] == reference


@pytest.mark.parametrize("context", ["", "specs"])
@pytest.mark.parametrize("size", [0, 64, -1])
def test_a_truncated_file_is_made_again(
    specs: SpecSet, tmp_path: Path, context: str, size: int
) -> None:
    """By the next run, whether or not its references are cached."""
    case, store = a_case(specs), tmp_path / "data"
    reference = DataStore(store, context).provide(specs, [case])[case.id]
    path = store / str(reference.path)
    whole = path.read_bytes()
    path.write_bytes(whole[:size])
    assert DataStore(store, context).provide(specs, [case])[case.id] == reference
    assert path.read_bytes() == whole


def test_an_altered_file_is_made_again(specs: SpecSet, tmp_path: Path) -> None:
    """By its digest, too, where it is read."""
    case = a_case(specs)
    reference = DataStore(tmp_path).provide(specs, [case])[case.id]
    path = tmp_path / str(reference.path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert DataStore(tmp_path).provide(specs, [case])[case.id] == reference
    assert path.read_bytes() == whole


def test_two_stores_keep_each_others_files(specs: SpecSet, tmp_path: Path) -> None:
    """A run that began before another one ended takes what that one made."""
    one, two = a_case(specs, "float32"), a_case(specs, "float16")
    early = DataStore(tmp_path)
    early.provide(specs, [two])
    made = DataStore(tmp_path).provide(specs, [one, two])
    assert early.provide(specs, [one, two]) == made
    assert {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.npy")} == {
        reference.path for reference in made.values()
    }


def test_other_files_are_no_data(specs: SpecSet, tmp_path: Path) -> None:
    """A file whose name lacks the digest of its content is neither taken nor touched."""
    case = a_case(specs)
    reference = DataStore(tmp_path).provide(specs, [case])[case.id]
    path = tmp_path / str(reference.path)
    strange = path.with_name(path.name[:-12] + ".npy")
    path.replace(strange)
    assert DataStore(tmp_path).provide(specs, [case])[case.id] == reference
    assert path.read_bytes() == strange.read_bytes()


def test_inputs_without_a_byte(specs: SpecSet, tmp_path: Path) -> None:
    """Empty tensors need no file; they come back empty, in their own type."""
    case = a_case(specs, shape=(0, 4))
    reference = DataStore(tmp_path).provide(specs, [case])[case.id]
    assert (reference.path, reference.payload) == (None, 0)
    assert list(tmp_path.glob("[!.]*")) == []
    inputs = inputs_of(case, tmp_path, reference)
    assert {array.shape for array in inputs.values()} == {(0, 4)}
    assert inputs["x"].dtype == case.tensor("x").data_type.numpy


def test_the_name_follows_the_recipe(specs: SpecSet) -> None:
    """Other data, another file; what the data do not depend on changes nothing."""
    spec, case = specs.operator("aclnnLogitGrad"), a_case(specs)
    digest = recipe_digest(spec, case)
    assert recipe_digest(spec, replace(case, product="atlas-a3", tier="full")) == digest
    assert recipe_digest(spec, a_case(specs, "float16")) != digest
    assert recipe_digest(spec, a_case(specs, shape=(5, 3))) != digest


def test_refused_calls_share_data(specs: SpecSet, planned: PLANNED) -> None:
    """Their elements do not matter; a valid call has data of its own."""
    spec = specs.operator("aclnnLogitGrad")
    own = planned("atlas-a2", "smoke", spec.operator)
    refused = [case for case in own if not case.expects_success]
    assert 3 * len({recipe_digest(spec, case) for case in refused}) < 2 * len(refused)
    valid = [case for case in own if case.expects_success and record_type(case).itemsize]
    assert len({recipe_digest(spec, case) for case in valid}) == len(valid)


def test_every_planned_case_has_a_record(planned: PLANNED) -> None:
    """Null inputs and those of a producer are not in the record; all others are."""
    for case in planned("atlas-a2", "smoke"):
        names = record_type(case).names or ()
        assert names == tuple(t.name for t in case.inputs if t.source == "data")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_store_that_cannot_be_written_as_user(specs: SpecSet, tmp_path: Path) -> None:
    """A folder without rights is the user's to change."""
    tmp_path.chmod(0o500)
    with pytest.raises(WrongInputError, match="cannot be written"):
        DataStore(tmp_path / "store").provide(specs, [a_case(specs)])


def test_a_store_that_cannot_be_written(specs: SpecSet, tmp_path: Path) -> None:
    """A file where the folder should be is the user's to change."""
    (tmp_path / "store").write_text("no folder")
    with pytest.raises(WrongInputError, match="cannot be written"):
        DataStore(tmp_path / "store").provide(specs, [a_case(specs)])

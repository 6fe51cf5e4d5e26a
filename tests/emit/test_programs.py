# SPDX-License-Identifier: Apache-2.0
"""Generated files: in step with the specs, and put back into step when they are not."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from aclnn_cts.coverage.findings import list_findings
from aclnn_cts.emit.cpp_sources import program_texts
from aclnn_cts.emit.generated_files import (
    bring_into_step,
    clang_format,
    generated_texts,
    out_of_step,
    with_operator_table,
)
from aclnn_cts.emit.programs import (
    calls_text,
    header_texts,
    program_text,
    require_generated,
)
from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.files import write_text
from aclnn_cts.plan.planner import other_operators
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite, find_suite


def test_one_program_for_each_operator(specs: SpecSet) -> None:
    """A program and a header's declaration for every spec, the producer's included."""
    programs = {*program_texts(specs, find_suite(), specs.operators)}
    assert programs == {f"{name}.cpp" for name in specs.operators} | {"calls.cmake"}
    headers = header_texts(specs)
    assert set(headers) == {spec.header for spec in specs.operators.values()}
    for spec in specs.operators.values():
        assert f"{spec.operator}GetWorkspaceSize(" in headers[spec.header]


def test_no_source_repeats_anothers_calls(specs: SpecSet) -> None:
    """A source calls its own operator alone; what its cases call besides is linked to it."""
    for spec in specs.operators.values():
        text = program_text(spec)
        assert text.count("GetWorkspaceSize(") == 1
    calls = calls_text([specs])
    assert "set(aclnnMaxPool2dWithMaskBackward_calls aclnnMaxPool2dWithMask " in calls
    dropout = specs.operator("aclnnDropoutBackward")
    others = {
        other.operator
        for product in filter(dropout.supports, specs.products)
        for other in other_operators(specs, dropout.operator, product)
    }
    (line,) = (each for each in calls.splitlines() if "(aclnnDropoutBackward_calls" in each)
    assert {*line.removesuffix(")").split()[1:]} == others


def test_programs_can_run_the_cases_of_every_edition(specs: SpecSet) -> None:
    """An operator that only another edition's cases call besides is linked, too."""
    here = replace(specs, side_calls={"loss": ["aclnnMseLoss"]})
    there = replace(specs, side_calls={"norm": ["aclnnGroupNorm"]})
    assert "set(aclnnLogitGrad_calls aclnnMseLoss)" in calls_text([here])
    assert "set(aclnnLogitGrad_calls aclnnGroupNorm)" in calls_text([there])
    assert "set(aclnnLogitGrad_calls aclnnMseLoss aclnnGroupNorm)" in calls_text([here, there])


def test_arguments_in_the_order_of_the_prototype(specs: SpecSet) -> None:
    """Each parameter is fetched by its name and kind, in order."""
    for spec in specs.operators.values():
        text = program_text(spec)
        text = text[text.rindex(f"{spec.operator}GetWorkspaceSize(") :]
        places = [text.index(f'("{parameter.name}")') for parameter in spec.parameters]
        assert places == sorted(places)
        for tensor in spec.tensors:
            getter = "Tensor" if tensor.length is None else "TensorList"
            assert f'{getter}("{tensor.name}")' in text


@pytest.fixture
def copied(tmp_path: Path) -> Suite:
    """A copy of the specs and the programs."""
    own = find_suite()
    for name in ("specs", "generated_tests"):
        shutil.copytree(own.root / name, tmp_path / name)
    shutil.copy(own.root / ".clang-format", tmp_path)
    return Suite(tmp_path)


def test_what_is_out_of_step_is_named(specs: SpecSet, copied: Suite) -> None:
    """A changed program, a missing header, and a program of an operator that is gone."""
    texts = generated_texts(specs, copied)
    assert out_of_step(texts, copied) == []
    changed = copied.generated_tests / "aclnnLogitGrad.cpp"
    write_text(changed, changed.read_text() + "// by hand\n")
    missing = copied.generated_tests / "aclnnLogit.cpp"
    missing.unlink()
    stranger = copied.generated_tests / "aclnnGone.cpp"
    write_text(stranger, "int main() {}\n")
    assert out_of_step(texts, copied) == sorted([changed, missing, stranger])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('Tensor("x"), arguments.Tensor("dy")', 'Tensor("dy"), arguments.Tensor("x")'),
        ('Double("eps")', 'Float("eps")'),
        ("aclnnop/aclnn_logit_grad.h", "aclnnop/aclnn_logit.h"),
        ("", ""),
    ],
)
def test_calls_with_another_prototype_are_refused(
    specs: SpecSet, copied: Suite, before: str, after: str
) -> None:
    """A run after a change of a spec would pass other arguments than the cases say."""
    require_generated(copied, specs.operators)
    path = copied.generated_tests / "aclnnLogitGrad.cpp"
    text = path.read_text()
    assert before in text
    if before:
        path.write_text(text.replace(before, after))
    else:
        path.unlink()
    with pytest.raises(NotTrustworthyError, match=r"aclnnLogitGrad\.cpp: is out of step"):
        require_generated(copied, ["aclnnLogitGrad"])
    require_generated(copied, ["aclnnLogit"])


def test_a_failure_leaves_everything_as_it_was(
    specs: SpecSet, copied: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A formula that cannot be evaluated changes no file, and adds none."""
    changed = copied.generated_tests / "aclnnLogitGrad.cpp"
    write_text(changed, "by hand\n")
    before = sorted(copied.root.rglob("*"))

    def refused(*_: object) -> None:
        raise WrongInputError("the formula")

    monkeypatch.setattr("aclnn_cts.emit.generated_files.stale_golden", refused)
    with pytest.raises(WrongInputError):
        bring_into_step(specs, copied)
    assert sorted(copied.root.rglob("*")) == before
    assert changed.read_text() == "by hand\n"


def test_refused_source(tmp_path: Path) -> None:
    """A style file that clang-format cannot read is not a traceback."""
    style = tmp_path / ".clang-format"
    style.write_text("BasedOnStyle: NoSuchStyle\n")
    with pytest.raises(NotTrustworthyError, match=r"clang-format: .*NoSuchStyle"):
        clang_format({tmp_path / "x.cpp": "int x;\n"}, style)


def test_two_files_of_one_name(tmp_path: Path) -> None:
    """Files of two folders may have the same name."""
    texts = {tmp_path / folder / "x.cpp": f"int  {folder};" for folder in ("calls", "others")}
    formatted = clang_format(texts, find_suite().root / ".clang-format")
    assert formatted == {path: text.replace("  ", " ") for path, text in texts.items()}


def test_the_readme_counts_the_operators_that_each_product_promises(specs: SpecSet) -> None:
    """The README's table follows from the specs, and nothing beside it changes."""
    page = "before\n<!-- operators: begin -->\nold\n<!-- operators: end -->\nafter\n"
    findings = list_findings(find_suite(), specs, ["aclnnSeluBackward"], ())
    before, *lines, after = with_operator_table(page, specs, findings).splitlines()
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in lines if "|" in line]
    (products, _, *families, (_, tested, contract, *counts)) = rows
    promised, open_points = counts[:-3], counts[-3:]
    assert (before, after) == ("before", "after")
    assert int(tested) == len(specs.tested_operators) == sum(int(row[1]) for row in families)
    assert int(contract) == sum(spec.is_contract for spec in specs.tested_operators) > 0
    for product, count in zip(products[3:-3], promised, strict=True):
        assert int(count) == sum(spec.supports(product) for spec in specs.tested_operators)
    assert open_points == ["2", "3", "7"]
    assert with_operator_table("no table\n", specs, ()) == "no table\n"

# SPDX-License-Identifier: Apache-2.0
"""Mutants of C++ sources: which are made, and what becomes of some on the simulated device."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tools.mutation.cpp_mutants import in_random_order, mutants_of
from tools.mutation.cpp_run import Plant, Stage, try_one
from tools.mutation.mutants import Mutant, mutant_of
from tools.mutation.random_calls import random_calls

from aclnn_cts.emit.data_files import DataStore
from aclnn_cts.run.build import build_parts, build_programs, build_simulator, find_compiler
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import find_suite

TINY = """\
#include <cmath>
// A comment + more.
int Sum(int a, int b) {
  Require(a >= b, "a must be at least b + 1");
  return a + b;  // plus + plus
}
"""

LOGIT = "simulator/operators/logit_grad.cpp"


def test_code_is_mutated_and_words_are_not(tmp_path: Path) -> None:
    """Operators, conditions and statements; not includes, comments or messages."""
    (tmp_path / "tiny.cpp").write_text(TINY)
    made = mutants_of(tmp_path, "tiny.cpp")
    found = {(mutant.line, mutant.after) for mutant in made}
    assert (5, "return a - b;  // plus + plus") in found
    assert (4, 'Require(a > b, "a must be at least b + 1");') in found
    assert not [mutant for mutant in made if mutant.line in (1, 2) and mutant.before]
    assert not [mutant for mutant in made if "b + 2" in mutant.after or '""' in mutant.after]
    assert len({mutant.source for mutant in made}) == len(made)


def test_the_sample_is_the_same_each_time() -> None:
    """The order follows from the seed, and each file's mutants are spread over the whole way."""
    made = [Mutant("a", line, "", "", str(line)) for line in range(50)]
    order = in_random_order(made, 1)
    assert order == in_random_order(made, 1)
    assert order != in_random_order(made, 2)
    assert [share for share, _ in order] == [k / 50 for k in range(50)]
    assert {mutant.line for _, mutant in order} == set(range(50))


@pytest.mark.parametrize("product", ["atlas-a2", "atlas-training"])
def test_random_calls(specs: SpecSet, product: str) -> None:
    """They are the same each time, hold valid and refused ones, and none of the plan's data."""
    for spec in specs.tested_operators:
        made = random_calls(spec, specs.product(product), 40, 1)
        assert made == random_calls(spec, specs.product(product), 40, 1)
        if not spec.supports(product):
            assert not any(case.expects_success for case in made)
            continue
        assert len(made) == 40
        assert {case.expects_success for case in made} == {True, False}
        assert made != random_calls(spec, specs.product(product), 40, 2)


@pytest.fixture(scope="module")
def plant(specs: SpecSet, tmp_path_factory: pytest.TempPathFactory) -> Plant:
    """The unharmed device, and a few calls of the logit's gradient."""
    suite, compiler = find_suite(), find_compiler()
    toolkit = build_simulator(suite, compiler)
    spec, store = specs.operator("aclnnLogitGrad"), suite.cache / "data"
    cases = random_calls(spec, specs.product("atlas-a2"), 60, 3)
    data = DataStore(store).provide(specs, cases)
    programs = build_programs(suite, compiler, toolkit)
    stage = Stage(
        specs, "atlas-a2", cases[:30], programs, store, tmp_path_factory.mktemp("results"), data
    )
    others = replace(stage, cases=cases[30:], judged=False)
    stages = (stage.after(toolkit), others.after(toolkit))
    return Plant(suite, build_parts(suite, compiler), {"aclnnLogitGrad": stages})


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("old", "new", "outcome"),
    [
        ("return dy / (x * (1.0F - x));", "return dy / (x * (1.0F + x));", "killed"),
        ("return dy / (x * (1.0F - x));", "for (;;) {}", "killed"),
        ("return dy / (x * (1.0F - x));", "__builtin_trap();", "killed"),
        ("return dy / (x * (1.0F - x));", "return dy / (x * (1.0F - ));", "uncompiled"),
        ("return dy / (x * (1.0F - x));", "return dy / ((1.0F - x) * x);", "same-code"),
        ("RequireNotNull({x, dy, out});", "RequireNotNull({dy, x, out});", "equivalent"),
    ],
)
def test_what_becomes_of_a_mutant(plant: Plant, old: str, new: str, outcome: str) -> None:
    """Wrong results, crashes and hangs are noticed; what changes no result is told apart."""
    original = (plant.suite.root / LOGIT).read_text()
    assert original.count(old) == 1
    found, by = try_one(plant, mutant_of(LOGIT, original, original.replace(old, new)))
    assert found == outcome, by

# SPDX-License-Identifier: Apache-2.0
"""The list of broken promises: it adds up to what the outcome counts."""

from __future__ import annotations

from tests.report.conftest import Entries

from aclnn_cts.judge.verdicts import Common
from aclnn_cts.report.grouping import first_broken, tally

WHERE = Common("bfloat16", ("x-dtype", "dy-dtype"))


def test_each_line_tells_what_stands_with_it(entry: Entries) -> None:
    """The first clause heads the line; a type says where, and is no clause among the others."""
    broken = ("formula", "determinism", "x-dtype", "dy-dtype")
    (found,) = first_broken(
        [entry(name, "fail", broken=broken, only_in=(WHERE,)) for name in ("a", "b")]
    )
    assert (found.clause, [case.id for case in found.cases]) == ("formula", ["a", "b"])
    assert found.only_in == "bfloat16 (x-dtype, dy-dtype)"
    assert found.besides == "determinism (2)"


def test_the_tally_adds_up_to_all_broken_promises(entry: Entries) -> None:
    """A promise that heads a line counts there alone, though other cases break it, too."""
    told = [("a", ("x", "y")), ("b", ("y", "z", "w")), ("c", ())]
    found = first_broken([entry(name, "fail", broken=broken) for name, broken in told])
    assert tally(found) == "2 as first broken, 2 more with them"
    assert tally(first_broken([entry("a", "fail", broken=("x", "y"))])) == (
        "1 as first broken, 1 more with it"
    )
    assert tally(first_broken([entry("a", "fail", broken=("x",))])) == "1 as first broken"

# SPDX-License-Identifier: Apache-2.0
"""The large results that are measured are results: they can be read, shown and compared."""

from __future__ import annotations

from pathlib import Path

from tools.benchmarks import large

from aclnn_cts.results.document import read_results
from aclnn_cts.spec.loading import SpecSet


def test_what_is_measured(specs: SpecSet, tmp_path: Path) -> None:
    """Each step does its part; of the faulty run some cases fail, of the sound one none."""
    folders = {kind: str(tmp_path / kind) for kind in ("sound", "faulty")}
    for kind, folder in folders.items():
        large.write(kind, "2000", folder)
        large.show(folder)
        assert {file.name for file in Path(folder).iterdir()} == {
            *("results.json", "cases.sqlite", "junit.xml", "report.html", "summary.md")
        }
    large.compare(*folders.values())
    sound, faulty = (read_results(Path(folder)) for folder in folders.values())
    assert sound.totals["pass"] == sound.totals["planned"] == 2000
    assert 0 < faulty.totals["fail"] < 100
    assert {case.operator for case in sound.cases} == set(large.copies(specs))
    assert [case.id for case in sound.cases] == [case.id for case in faulty.cases]

# SPDX-License-Identifier: Apache-2.0
"""Equal sentences of pages have equal transcriptions, as far as fingerprints tell."""

from __future__ import annotations

from collections import defaultdict

from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import find_suite
from aclnn_cts.transcribe.page_lock import BESIDE_CLAUSES, lock_path, read_lock


def test_a_promise_elsewhere_is_not_silence_alone(specs: SpecSet) -> None:
    """A sentence that is a promise of one page is filed under no silence alone on another one."""
    promising: dict[str, set[str]] = defaultdict(set)
    silent: dict[str, set[str]] = defaultdict(set)
    silences: dict[str, set[str]] = defaultdict(set)
    for spec in specs.operators.values():
        silences[spec.file] |= {each.id for each in spec.not_promised}
    for spec in specs.operators.values():
        lock = read_lock(lock_path(find_suite(), specs, spec.operator), specs, spec.operator)
        for fingerprint, names in lock.get("current", {}).items():
            if set(names) - silences[spec.file] - set(BESIDE_CLAUSES):
                promising[fingerprint].add(spec.file)
            elif silences[spec.file].intersection(names):
                silent[fingerprint].add(spec.file)
    both = {each: (files, promising[each]) for each, files in silent.items() if each in promising}
    assert not both


def test_each_page_has_a_lock_file(specs: SpecSet) -> None:
    """No lock file is left of a page that no spec transcribes, and its editions are right."""
    suite = find_suite()
    tested = [spec.operator for spec in specs.tested_operators]
    paths = {lock_path(suite, specs, name) for name in tested}
    assert set((suite.specs / "pages").iterdir()) == paths
    earlier = load_specs(suite, "earlier")
    for spec in earlier.tested_operators:
        path = lock_path(suite, earlier, spec.operator)
        assert read_lock(path, earlier, spec.operator).keys() == {"current", "earlier"}

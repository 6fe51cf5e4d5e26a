# SPDX-License-Identifier: Apache-2.0
"""Equal sentences of pages have equal transcriptions, as far as fingerprints tell."""

from __future__ import annotations

from collections import defaultdict

from aclnn_cts.spec.checks import BESIDE_CLAUSES
from aclnn_cts.spec.loading import SpecSet


def test_a_promise_elsewhere_is_not_silence_alone(specs: SpecSet) -> None:
    """A sentence that is a promise of one page is filed under no silence alone on another one."""
    promising: dict[str, set[str]] = defaultdict(set)
    silent: dict[str, set[str]] = defaultdict(set)
    of_file: dict[str, set[str]] = defaultdict(set)
    for spec in specs.operators.values():
        of_file[spec.file] |= {each.id for each in spec.not_promised}
    for spec in specs.operators.values():
        silences = of_file[spec.file]
        keys: dict[str, set[str]] = defaultdict(set)
        for key, prints in spec.sentences.get("current", {}).items():
            for fingerprint in prints:
                keys[fingerprint].add(key)
        for fingerprint, under in keys.items():
            if under - silences - set(BESIDE_CLAUSES):
                promising[fingerprint].add(spec.file)
            elif under & silences:
                silent[fingerprint].add(spec.file)
    both = {each: (files, promising[each]) for each, files in silent.items() if each in promising}
    assert not both

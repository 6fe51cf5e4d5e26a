# SPDX-License-Identifier: Apache-2.0
"""A small kit, packed once for all tests of this folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from aclnn_cts.emit.data_files import DataStore
from aclnn_cts.kit.pack import KitDescription, SuiteOrigin, pack
from aclnn_cts.plan.cases import Case
from aclnn_cts.run.planned_cases import PlannedCase, pack_cases
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.suite import Suite, find_suite

NONCE = "0123456789abcdef" * 2


@dataclass(frozen=True)
class Packed:
    """A kit, and what it was packed from."""

    suite: Suite
    specs: SpecSet
    cases: tuple[Case, ...]
    described: KitDescription
    archive: Path

    def again(self, archive: Path, nonce: str = NONCE) -> int:
        """Pack it once more, into another archive; return the number of its files."""
        described = self.described.model_copy(update={"nonce": nonce})
        return pack(self.suite, self.specs, described, archive)


@pytest.fixture(scope="session")
def kit_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that holds the input data of the kit alone."""
    return tmp_path_factory.mktemp("kit-cache")


@pytest.fixture(scope="session")
def packed(
    specs: SpecSet,
    planned: Callable[..., tuple[Case, ...]],
    kit_cache: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Packed:
    """A kit of a few cases, one of which calls another operator, too."""
    own = planned("atlas-a2", "smoke", "aclnnLogitGrad")
    cases = (*own[:3], *[c for c in own if "after-others" in c.again][:1])
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("ACLNN_CTS_CACHE", str(kit_cache))
        suite = find_suite()
        store = DataStore(suite.cache / "data")
        described = KitDescription(
            suite=SuiteOrigin.of(suite, specs, cases),
            product="atlas-a2",
            tier="smoke",
            standard="strict",
            edition=specs.edition,
            nonce=NONCE,
            packed="2026-01-01T00:00:00Z",
            plan=pack_cases([PlannedCase(*each) for each in store.provide_all(specs, cases)]),
        )
        kit = Packed(suite, specs, cases, described, tmp_path_factory.mktemp("kit") / "kit.tar.gz")
        kit.again(kit.archive)
    return kit


@pytest.fixture
def suite(kit_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Suite:
    """The suite itself, with a cache of its own that holds the kit's input data."""
    shutil.copytree(kit_cache, tmp_path / "cache")
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path / "cache"))
    return find_suite()

# SPDX-License-Identifier: Apache-2.0
"""A pytest plugin for runs of the tests: few examples, always the same, and perhaps one mutant.

``ACLNN_CTS_MUTANT`` names a JSON file with the ``module`` that is imported from another text, the
``path`` that it claims to have, and the ``source``. Without it the code runs as it is.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import resource
import sys
from pathlib import Path
from types import ModuleType

import hypothesis
import pytest

MUTANT = "ACLNN_CTS_MUTANT"

EXAMPLES = 40
"""Examples of a property that does not ask for a number of its own."""

OPTIONS = (
    "-qrfE",
    "--tb=no",
    "--assert=plain",
    "--no-header",
    "-pno:cacheprovider",
    "-otmp_path_retention_policy=none",
)

_MEMORY = 4 << 30
"""Bytes of address space: a mutant that asks for more must not take the machine along."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Replace the Hypothesis settings that the tests' conftest has chosen."""
    hypothesis.settings.register_profile(
        "mutation",
        deadline=None,
        derandomize=True,
        database=None,
        max_examples=EXAMPLES,
        report_multiple_bugs=False,
        phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
    )
    hypothesis.settings.load_profile("mutation")


class _Replaced(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from another text; to be put before the other finders."""

    def __init__(self, module: str, path: str, source: str) -> None:
        self._module, self._path, self._source = module, path, source

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of the one module."""
        del path, target
        if fullname != self._module:
            return None
        return importlib.util.spec_from_file_location(fullname, self._path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        """Run the text, whatever compiled code of the module there is."""
        exec(compile(self._source, self._path, "exec"), module.__dict__)  # noqa: S102


if MUTANT in os.environ:
    sys.meta_path.insert(0, _Replaced(**json.loads(Path(os.environ[MUTANT]).read_text())))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

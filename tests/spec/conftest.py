# SPDX-License-Identifier: Apache-2.0
"""What loads a spec that is not right."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.spec.minimal import Load, load_operator

from aclnn_cts.errors import WrongInputError
from aclnn_cts.spec.loading import SpecSet


@pytest.fixture
def complaint(tmp_path: Path, specs: SpecSet) -> Load:
    """Load a spec from text and return its complaint, with the folder's name taken out."""

    def load(text: str) -> str:
        path = tmp_path / "aclnnThing.yaml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(WrongInputError) as caught:
            load_operator(path, specs.products, specs.traits)
        return str(caught.value).replace(f"{tmp_path}/", "")

    return load

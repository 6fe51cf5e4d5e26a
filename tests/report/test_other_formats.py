# SPDX-License-Identifier: Apache-2.0
"""A results file of another version of the suite is told from one that is damaged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.report.results import ResultsDocument, read_results, write_document


def test_an_older_format_is_named(
    results_document: Callable[..., ResultsDocument], tmp_path: Path
) -> None:
    """The sentence names the format and the command that writes the file anew."""
    path = write_document(results_document(), tmp_path)
    path.write_text(path.read_text().replace("aclnn-cts/results/", "aclnn-cts/results/0"))
    with pytest.raises(NotTrustworthyError, match=r"in the format 'aclnn-cts/results/0") as error:
        read_results(tmp_path)
    assert f"aclnn-cts judge {tmp_path}" in str(error.value)
    assert "damaged" not in str(error.value)

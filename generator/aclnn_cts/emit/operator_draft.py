# SPDX-License-Identifier: Apache-2.0
"""The initial files of an operator folder."""

from __future__ import annotations

import shlex
from pathlib import Path

from aclnn_cts.emit.programs import text_templates
from aclnn_cts.errors import unknown_name
from aclnn_cts.spec.names import kernel_name
from aclnn_cts.transcribe.draft import draft
from aclnn_cts.transcribe.page_lock import lock_name
from aclnn_cts.transcribe.page_model import Page


def draft_files(
    page: Page, edition: str, operator: str, source: Path, folder: Path, *, contract: bool
) -> dict[str, str]:
    """Return the files by name: the draft of the spec, the lock file of the page, and a README.

    Args:
        edition: Year and month of the other specs' pages.
        source: The page's file.
        folder: Where the files are to be.
        contract: Whether the spec leaves out the values of outputs.

    Raises:
        WrongInputError: The page is not about the operator.
    """
    if page.function(operator) is None:
        operators = [function.name for function in page.functions]
        raise unknown_name(f"operator of {source}", operator, operators)
    context = {
        "operator": operator,
        "kernel": kernel_name(operator),
        "folder": shlex.quote(str(folder)),
        "pages": shlex.quote(str(source.parent)),
    }
    readme = text_templates().get_template("new_readme.md.j2").render(context)
    spec, lock = draft(page, edition, operator, contract=contract)
    return {f"{operator}.yaml": spec, lock_name(operator): lock, "README.md": readme}

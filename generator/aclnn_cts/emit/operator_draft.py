# SPDX-License-Identifier: Apache-2.0
"""The initial files of an operator folder."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import Path

from aclnn_cts.emit.programs import text_templates
from aclnn_cts.errors import unknown_name
from aclnn_cts.spec.names import kernel_name
from aclnn_cts.transcribe.draft import draft
from aclnn_cts.transcribe.page_model import Page

_KERNEL_TYPES: Mapping[str, str] = {"int64_t": "int64_t", "bool": "bool"}
"""C types of attributes in a kernel, where they are not float."""


def drafted(page: Page, operator: str, source: Path, folder: Path) -> dict[str, str]:
    """Return the files by name: draft of the spec, skeleton of the kernel, README.

    Args:
        source: The page's file.
        folder: Where the files are to be.

    Raises:
        WrongInputError: The page is not about the operator.
    """
    function = page.function(operator)
    if function is None:
        known = [each.name for each in page.functions]
        raise unknown_name(f"operator of {source}", operator, known)
    kernel = kernel_name(operator)
    inputs = [each for each in function.parameters if each.direction != "output"]
    tensors = [each.name for each in inputs if each.is_tensor]
    attributes = {each.name: each.type for each in inputs if not each.is_tensor}
    arguments = [f"float {name}" for name in tensors]
    arguments += [f"{_KERNEL_TYPES.get(t, 'float')} {name}" for name, t in attributes.items()]
    said = {
        "operator": operator,
        "kernel": kernel,
        "function": operator.removeprefix("aclnn"),
        "guard": re.sub(r"[^A-Z0-9]", "_", f"{kernel}_h_".upper()),
        "arguments": arguments,
        "folder": shlex.quote(str(folder)),
        "pages": shlex.quote(str(source.parent)),
    }
    templates = {
        f"{kernel}.h": "new_kernel.h.j2",
        "README.md": "new_readme.md.j2",
    }
    made = {
        name: text_templates().get_template(template).render(said)
        for name, template in templates.items()
    }
    return {f"{operator}.yaml": draft(page, operator), **made}

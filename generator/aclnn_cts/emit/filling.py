# SPDX-License-Identifier: Apache-2.0
"""The templates of this room, and how they are filled."""

from __future__ import annotations

import jinja2


def text_templates() -> jinja2.Environment:
    """Return the templates; what they lack is an error, and nothing is escaped."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("aclnn_cts.emit"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - they make C++, CMake and Markdown, from checked names
    )

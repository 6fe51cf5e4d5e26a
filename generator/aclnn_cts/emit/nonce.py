# SPDX-License-Identifier: Apache-2.0
"""A word that is new with each run: it comes back in the events, so old ones cannot pass for new.

A program copies it from its case file into its first event.
"""

from __future__ import annotations

import re
import secrets

from aclnn_cts.errors import NotTrustworthyError

_NONCE = re.compile(r"[0-9a-f]{32}")


def new_nonce() -> str:
    """Return a nonce that nobody can guess and that does not come twice."""
    return secrets.token_hex(16)


def checked_nonce(text: str) -> str:
    """Return a nonce that is 32 lower-case hexadecimal digits.

    Raises:
        NotTrustworthyError: It is something else.
    """
    if _NONCE.fullmatch(text) is None:
        raise NotTrustworthyError(f"the nonce {text!r} is not 32 lower-case hexadecimal digits")
    return text

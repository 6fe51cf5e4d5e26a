# SPDX-License-Identifier: Apache-2.0
"""The speed figures, one command: ``tox -e bench``."""


class MissedTargetError(Exception):
    """A figure misses its target; the message or the printed figures say which, and by how much."""

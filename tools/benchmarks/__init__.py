# SPDX-License-Identifier: Apache-2.0
"""The speed figures, one command: ``tox -e bench``."""


class MissedTargetError(Exception):
    """What was measured is slower than promised; the message says what, and by how much."""

# SPDX-License-Identifier: Apache-2.0
"""The speed figures, one command: ``tox -e bench``."""

# SPDX-License-Identifier: Apache-2.0
"""Starts the runner of a kit; it lies in the kit's folder ``runner``, beside the package."""

import sys
from pathlib import Path

from aclnn_cts.kit.runner import main

sys.exit(main(Path(__file__).resolve().parent.parent, sys.argv[1:]))

# SPDX-License-Identifier: Apache-2.0
"""Run ``aclnn-cts`` and print, as the last line, the peak memory of its largest process in KiB."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    done = subprocess.run([str(Path(sys.argv[1]) / "aclnn-cts"), *sys.argv[2:]], check=False)
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    sys.exit(done.returncode)

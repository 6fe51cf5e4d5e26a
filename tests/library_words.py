# SPDX-License-Identifier: Apache-2.0
"""What libraries say of wrong files; no message of ours may repeat it."""

from __future__ import annotations

import re

LIBRARY_WORDS = re.compile(
    r"Input should|Extra inputs|at least 1 item|should match|should have|valid dictionary"
    r"|after validation|Field required|Value error|datetime\.|instance of|NoneType|unicode string"
    r"|[Ii]nvalid JSON|EOF|parsing|Unable to|unable to|found using|[Uu]nexpected|expected value"
    r"|Expecting|delimiter|Unterminated|line 1 column|\(char \d|[A-Z][a-z]+Error\b"
)
"""What the libraries that read the files would say, and nobody who writes a file understands."""

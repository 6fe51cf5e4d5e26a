# SPDX-License-Identifier: Apache-2.0
"""A hand-made run that plain pytest is run on, and what it is given beside."""

from __future__ import annotations

from typing import Any

from aclnn_cts import __version__, judging
from aclnn_cts.report import summary
from aclnn_cts.run.folder import RunFolder
from aclnn_cts.spec.loading import specs_digest

LOADED = (judging, summary)
"""A session within this one forgets what it loads; rich and Jinja cannot be loaded twice."""

X, DY = [0.25, 0.5, 0.75], [1.0, 2.0, 3.0]
WAIVERS = """\
waivers:
  - id: known
    operator: aclnnLogitGrad
    cases: ["LogitGrad.cover.*"]
    failure: [value]
    max_ulp: .inf
    reason: known for long
    link: https://example.org/1
    owner: Ada
    expires: 2999-12-31
"""


def save(bench: Any, **changes: Any) -> None:
    """Write run.json as the run room does."""
    run: RunFolder = bench.run()
    facts = {name: getattr(run, name) for name in run.__dataclass_fields__}
    facts |= {"suite_version": __version__, "specs_sha256": specs_digest(bench.suite)}
    RunFolder(**{**facts, **changes}).save()

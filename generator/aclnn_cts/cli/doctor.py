# SPDX-License-Identifier: Apache-2.0
"""The command that checks whether a host can run cases."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli.options import CannFolder, SpecFolders, load, reported
from aclnn_cts.console import print_json
from aclnn_cts.errors import ExitCode
from aclnn_cts.run.doctor import Finding, Host, Level, examine

_INDENT = 8


@reported
def doctor(
    cann: CannFolder = None,
    folders: SpecFolders = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Check whether this host can run cases, and say how to get what is missing."""
    suite, specs = load(folders=folders)
    findings = examine(Host(suite, specs, os.environ, str(cann or ""), Path.cwd()))
    found = tuple(findings) if as_json else _shown(findings)
    ready = all(finding.level is not Level.MISSING for finding in found)
    if as_json:
        document = {
            "format": "aclnn-cts/doctor/1",
            "ready": ready,
            "findings": [asdict(finding) for finding in found],
        }
        print_json(document)
    raise typer.Exit(int(ExitCode.PASSED if ready else ExitCode.NOT_TRUSTWORTHY))


def _shown(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Print each finding as it comes; return all of them."""
    shown = []
    for finding in findings:
        typer.echo(f"{finding.level.value:<{_INDENT}}{finding.topic}: {finding.what}")
        if finding.advice:
            typer.echo(f"{'':<{_INDENT}}  → {finding.advice}")
        shown.append(finding)
    lacking = sum(finding.level is Level.MISSING for finding in shown)
    typer.echo(f"{lacking} missing" if lacking else "this host can run cases")
    return tuple(shown)

# SPDX-License-Identifier: Apache-2.0
"""``run --resume``: finishing an interrupted run; what it asked for stands in its folder."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from aclnn_cts.cli.conducting import conduct_and_publish
from aclnn_cts.cli.options import load
from aclnn_cts.errors import WrongInputError
from aclnn_cts.judge.judge_run import Judging, recorded_standard
from aclnn_cts.qualify.catalog import recorded_change
from aclnn_cts.report.model import Report
from aclnn_cts.report.waiver_states import accepted_in
from aclnn_cts.run.campaign import resume_campaign
from aclnn_cts.run.folder import open_interrupted
from aclnn_cts.run.folder_lock import withdrawn_unless_mistyped
from aclnn_cts.run.resume import Interrupted
from aclnn_cts.run.target import parse_devices
from aclnn_cts.spec.waivers import require_waivers
from aclnn_cts.suite import find_suite

_WITH_RESUME = ("resume", "results", "devices", "jobs", "waivers", "enforce")
"""What may be given when a run goes on: none of it changes what is run."""


def require_resumable(results: Path | None, given: Iterable[str]) -> Path:
    """Return the folder of the run that is to go on, after a look at what else was given.

    Args:
        results: The folder that the user named.
        given: Names of all options that the user gave.

    Raises:
        WrongInputError: No folder is named, or an option is given that would change what is run.
    """
    if results is None:
        raise WrongInputError("--resume needs --results: name the folder of the interrupted run")
    for name in given:
        if name not in _WITH_RESUME:
            raise WrongInputError(
                f"--resume and --{name.replace('_', '-')} exclude each other; "
                "the folder says what was asked for"
            )
    return results


def resume_run(
    results: Path, devices: str | None, jobs: int, waivers: Path | None, *, enforce: bool = False
) -> Report:
    """Finish an interrupted run, and publish the report on it.

    Args:
        results: Its folder.
        devices: Numbers of the devices, as the user wrote them; None for those of the run.
        jobs: Processes that judge.
        waivers: The file of waivers.
        enforce: Whether a requirement that is not enforced ends with exit status 1.

    Raises:
        WrongInputError: Something that was given is wrong; an earlier judgement stays then.
        NotTrustworthyError: The run is damaged, or cannot go on.
    """
    require_waivers(waivers)
    with withdrawn_unless_mistyped(results):
        numbers = parse_devices(devices) if devices is not None else ()
        found = open_interrupted(results, find_suite())
        if numbers:
            found = replace(found, asked=replace(found.asked, devices=numbers))
        suite, specs = load(found.edition)
        change = recorded_change(suite, found.device)
        acceptance = accepted_in(waivers, specs) if waivers is not None else None
        judging = Judging(suite, recorded_standard(found), jobs, enforce)
    conduct = functools.partial(resume_campaign, suite, specs, Interrupted(found, change))
    return conduct_and_publish(conduct, judging, acceptance)

# SPDX-License-Identifier: Apache-2.0
"""A new run: what was asked for is checked first, then the device is asked, then cases run."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass, replace
from pathlib import Path

from aclnn_cts.cli.conducting import conduct_and_publish
from aclnn_cts.cli.options import load, refuse_contradiction, say, standard_of
from aclnn_cts.errors import WrongInputError
from aclnn_cts.judge.judge_run import Judging
from aclnn_cts.judge.standards import Standard
from aclnn_cts.plan.cases import Case, require_tier
from aclnn_cts.plan.covering import CoveringStore
from aclnn_cts.plan.planner import find_cases, plan
from aclnn_cts.qualify.catalog import Kind, load_catalog
from aclnn_cts.report.model import Report
from aclnn_cts.report.waiver_states import Acceptance, accepted_in
from aclnn_cts.run.campaign import Request, run_campaign
from aclnn_cts.run.fault_injection import Change
from aclnn_cts.run.folder_lock import claim_to_withdraw, withdrawn_unless_mistyped
from aclnn_cts.run.run_config import Asked
from aclnn_cts.run.target import (
    Target,
    Wish,
    choose_toolkit,
    known_product,
    parse_devices,
    target_of,
)
from aclnn_cts.run.toolkit import FoundToolkit
from aclnn_cts.spec.edition_models import CURRENT
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.waivers import require_waivers
from aclnn_cts.suite import Suite


@dataclass(frozen=True)
class RunOptions:
    """What the user asked for, as it was written; what is left open is None or empty.

    Attributes:
        operators: Names of operators.
        product: The product's id.
        tier: The tier.
        edition: The edition of the documents.
        cases: Ids of cases.
        standard: The standard that decides.
        cann: A toolkit's folder.
        simulator: Whether it must be the simulated device.
        devices: Numbers of devices.
        results: The results folder.
        jobs: Programs and judges at a time.
        sanitize: Build with AddressSanitizer and UBSan.
        fault: Id of the fault that the simulated device is given.
        variant: Id of the variant that the simulated device is.
        case_seconds: Time that a case may take.
        batch_seconds: Time that a program may take.
        waivers: The file of waivers.
        timings: Launches of each call, to time it.
    """

    operators: tuple[str, ...]
    product: str | None
    tier: str
    edition: str
    cases: tuple[str, ...]
    standard: str
    cann: Path | None
    simulator: bool
    devices: str | None
    results: Path | None
    jobs: int
    sanitize: bool
    fault: str | None
    variant: str | None
    case_seconds: float | None
    batch_seconds: float | None
    waivers: Path | None
    timings: int
    enforce: bool = False


@dataclass(frozen=True)
class _Understood:
    """What the options mean, as far as no toolkit has to be looked for."""

    suite: Suite
    specs: SpecSet
    standard: Standard
    change: Change | None
    acceptance: Acceptance | None
    wish: Wish


def begin_run(options: RunOptions) -> Report:
    """Run cases and publish the report on them.

    An earlier judgement in its folder is withdrawn as soon as it is known that the options are
    right: before any device is asked, and before cases are planned, which may take minutes.

    Raises:
        WrongInputError: Something that was asked for does not exist.
        NotTrustworthyError: Something would not build or start, or no device can be used.
    """
    require_waivers(options.waivers)
    with withdrawn_unless_mistyped(_folder(options, options.product, options.edition)):
        understood = _understand(options)
        found = _toolkit(options, understood.wish)
        product = known_product(understood.wish, found)
        named = () if product is None else _named_cases(options, understood, product)
    if (folder := _folder(options, product, understood.specs.edition)) is not None:
        claim_to_withdraw(folder)
    suite, specs = understood.suite, understood.specs
    target = target_of(suite, specs, understood.wish, found, os.environ, say)
    cases = named or _cases(options, understood, target.product)
    request = _request(options, understood, target, cases)
    judging = Judging(suite, understood.standard, options.jobs, options.enforce)
    conduct = functools.partial(run_campaign, suite, specs, request)
    return conduct_and_publish(conduct, judging, understood.acceptance)


def _understand(options: RunOptions) -> _Understood:
    """Refuse all that can be refused without a toolkit."""
    devices = parse_devices(options.devices) if options.devices is not None else ()
    _refuse_contradictions(options)
    suite, specs = load(options.edition)
    acceptance = accepted_in(options.waivers, specs) if options.waivers is not None else None
    change = _change(options, suite)
    standard = standard_of(options.standard)
    require_tier(options.tier)
    specs.tested_named(options.operators)
    if options.product is not None:
        specs.product(options.product)
    simulated = options.simulator or change is not None
    wish = Wish(options.cann, simulated, options.product, devices)
    return _Understood(suite, specs, standard, change, acceptance, wish)


def _changes(options: RunOptions) -> tuple[tuple[Kind, str | None], ...]:
    return ("fault", options.fault), ("variant", options.variant)


def _change(options: RunOptions, suite: Suite) -> Change | None:
    """Return what makes another device of the simulated one; None for the unharmed one."""
    for kind, name in _changes(options):
        if name is not None:
            return load_catalog(suite).change(name, kind)
    return None


def _refuse_contradictions(options: RunOptions) -> None:
    refuse_contradiction(options.cann, options.simulator, options.fault, options.variant)
    given: list[str] = [name for name, value in _changes(options) if value is not None]
    given += ["sanitize"] if given and options.sanitize else []
    if len(given) > 1:
        raise WrongInputError(f"--{given[0]} and --{given[1]} exclude each other; give one of them")
    if options.cases and options.operators:
        raise WrongInputError("--case and --operator exclude each other; a case has its operator")


def _toolkit(options: RunOptions, wish: Wish) -> FoundToolkit | None:
    try:
        return choose_toolkit(wish, os.environ, say)
    except WrongInputError:
        # No typo, as a rule: what a nightly job has named all along is not there any more.
        if (folder := _folder(options, options.product, options.edition)) is not None:
            claim_to_withdraw(folder)
        raise


def _named_cases(options: RunOptions, understood: _Understood, product: str) -> tuple[Case, ...]:
    if not options.cases:
        return ()
    store = CoveringStore.of(understood.suite)
    return find_cases(understood.specs, options.cases, product, options.tier, store)


def _cases(options: RunOptions, understood: _Understood, product: str) -> tuple[Case, ...]:
    if options.cases:
        return _named_cases(options, understood, product)
    operators, store = options.operators or None, CoveringStore.of(understood.suite)
    return plan(understood.specs, product, options.tier, operators, store)


def _request(
    options: RunOptions, understood: _Understood, target: Target, cases: tuple[Case, ...]
) -> Request:
    edition = understood.specs.edition
    return Request(
        product=target.product,
        tier=options.tier,
        standard=understood.standard,
        cases=cases,
        results=options.results or _usual_folder(options, target.product, edition),
        asked=_asked(options, understood, target),
        change=understood.change,
    )


def _asked(options: RunOptions, understood: _Understood, target: Target) -> Asked:
    usual = Asked.usual(target.cann, understood.change, jobs=options.jobs)
    return replace(
        usual,
        sanitize=options.sanitize,
        devices=target.devices or usual.devices,
        case_seconds=options.case_seconds or usual.case_seconds,
        batch_seconds=options.batch_seconds or usual.batch_seconds,
        timings=options.timings,
    )


def _folder(options: RunOptions, product: str | None, edition: str) -> Path | None:
    """Return the results folder; None as long as it depends on a product that is not known."""
    if options.results is not None or (product is None and not options.cases):
        return options.results
    return _usual_folder(options, product or "", edition)


def _usual_folder(options: RunOptions, product: str, edition: str) -> Path:
    """Return the results folder of a run that none is named for.

    Runs of different devices do not replace one another, nor does a case that is run again take
    the place of the run that it comes from.
    """
    pages = "" if edition == CURRENT else f"-{edition}"
    name = options.fault or options.variant
    changed = f"-{name}" if name else ""
    run = "case" if options.cases else f"{product}-{options.tier}"
    return Path("results") / f"{run}{pages}{changed}"

# SPDX-License-Identifier: Apache-2.0
"""The command that runs cases, and finishes an interrupted run."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from aclnn_cts.cli import options
from aclnn_cts.cli.explore import Exploration, parse_duration
from aclnn_cts.cli.host import prune_cache
from aclnn_cts.console import AUTO, ConsoleProgress, Shown, progress_of
from aclnn_cts.errors import ExitCode, WrongInputError, counted, one_of, strongest
from aclnn_cts.judge.judge_run import (
    Confirmation,
    Judging,
    failures_of,
    judge_process,
    recorded_standard,
)
from aclnn_cts.judge.standards import DEFAULT_STANDARD, STANDARDS
from aclnn_cts.judging import Report, publish
from aclnn_cts.plan.call_list import LISTED, unlisted_calls
from aclnn_cts.plan.cases import TIERS, Case
from aclnn_cts.plan.exploration import Explorer
from aclnn_cts.plan.planner import operators_of
from aclnn_cts.qualify.catalog import load_catalog, recorded_change
from aclnn_cts.report.waivers import Acceptance, load_acceptance
from aclnn_cts.results.document import ResultsDocument, read_results
from aclnn_cts.run.campaign import Progress, Request, Rerun, resume_campaign, run_campaign
from aclnn_cts.run.devices import DEFAULT_PRODUCT, choose_toolkit, resolve
from aclnn_cts.run.folder import RunFolder, open_interrupted, suite_of
from aclnn_cts.run.folder_lock import claim_to_withdraw, if_refused, withdraw_unless_mistyped
from aclnn_cts.run.operator_folders import first_changed, with_current_folders
from aclnn_cts.run.process import parse_devices
from aclnn_cts.run.resume import Interrupted
from aclnn_cts.run.run_config import (
    BATCH_SECONDS,
    CASE_SECONDS,
    MOST_SECONDS,
    RunConfig,
    case_seconds_of,
)
from aclnn_cts.run.shards import Shard, digest_of_plan
from aclnn_cts.run.toolkit import FoundToolkit
from aclnn_cts.spec.editions import CURRENT
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.spec.waivers import require_waivers
from aclnn_cts.suite import Suite, find_suite

if TYPE_CHECKING:
    from aclnn_cts.run.fault_injection import Change
    from aclnn_cts.run.ray_cluster import RayCluster, SurveyedHost

_WITH_RESUME = (
    "resume",
    "results",
    "devices",
    "jobs",
    "waivers",
    "enforce",
    "no_reuse",
    "ray",
    "progress",
    "folders",
    "verbose",
)
"""Options that may be given with --resume."""

_OF_THE_RUN = ("product", "tier", "edition", "operator", "case", "case_list", "calls")
"""Options that ``--rerun-failed`` takes from the earlier run."""

_MOST_NAMED = 8
"""Maximum number of ids in a message."""


class JudgingPlace(str, Enum):
    """Where each case of a cluster is judged first."""

    HOME = "home"
    CLUSTER = "cluster"


@dataclass(frozen=True)
class _Selection:
    """Which cases to run, and on which simulated device.

    Attributes:
        tier: The tier; ``listed`` for the cases of a call list.
        calls: The call list; None for the cases of the tier.
        operators: Names of operators; all if it is empty.
        patterns: Ids and patterns of ids; all cases if it is empty.
        fault: Id of the fault that the simulated device is given; None for none.
        variant: Id of the variant that the simulated device is; None for none.
        results: The results folder; None for the usual one.
        products: The products; several are run each into a folder of its own.
        shard: The part of the cases to run; None for all.
        rerun: Whether the patterns are ids of an earlier run, some of which may be gone.
    """

    suite: Suite

    tier: str
    calls: Path | None
    edition: str
    operators: tuple[str, ...]
    patterns: tuple[str, ...]
    fault: str | None
    variant: str | None
    results: Path | None
    products: tuple[str, ...] = ()
    shard: Shard | None = None
    rerun: bool = False

    def known_folder(self, product: str) -> Path | None:
        """Return the results folder; None if it depends on a product that is still unknown."""
        return self.folder(product) if product or self.patterns or self.results else None

    def folder(self, product: str) -> Path:
        """Return the results folder.

        Runs of different devices have different folders, and a single case does not replace its
        run.
        """
        if self.results is not None:
            return self.results / product if len(self.products) > 1 else self.results
        of_tier = f"{product}-{self.calls.stem if self.calls else self.tier}"
        run = "case" if self.patterns else of_tier
        run += f"-{product}" if self.patterns and len(self.products) > 1 else ""
        edition = "" if self.edition == CURRENT else self.edition
        shard = "" if self.shard is None else f"shard{self.shard.number}of{self.shard.of}"
        parts = (run, edition, self.fault or self.variant, shard)
        return Path("results") / "-".join(filter(None, parts))

    def load(self) -> tuple[_Selection, SpecSet, Change | None]:
        """Return the selection, the suite's specs, and what is changed of the simulated device.

        A changed device runs the operators that show the change, unless others are selected.

        Raises:
            WrongInputError: There is no such edition, tier, operator, fault or variant.
        """
        specs, entry, selection = load_specs(self.suite, self.edition), None, self
        if self.fault is not None:
            entry = load_catalog(self.suite).entry(self.fault, "fault")
        elif self.variant is not None:
            entry = load_catalog(self.suite).entry(self.variant, "variant")
        if self.calls is None:
            one_of("tier", self.tier, TIERS)
        specs.select_tested(self.operators)
        if entry is not None and not (self.operators or self.patterns or self.calls):
            selection = replace(self, operators=entry.tried_on)
            names = ", ".join(entry.tried_on)
            options.say(f"--{entry.kind} {entry.id} runs {names}; --operator selects others")
        return selection, specs, None if entry is None else entry.change

    def cases(
        self,
        specs: SpecSet,
        product: str,
        jobs: int = options.CORES,
        progress: Progress | None = None,
    ) -> tuple[Case, ...]:
        """Return the cases for a product; raises WrongInputError for an unknown name."""
        select = functools.partial(
            options.select_cases,
            *(self.suite, specs, product, self.tier),
            jobs=jobs,
            progress=progress,
        )
        if not self.rerun:
            return select(self.operators, self.patterns, self.calls)
        operators = operators_of(specs, self.patterns, product)
        planned = {
            case.id: case for case in (select(operators, (), self.calls) if operators else ())
        }
        missing = [name for name in self.patterns if name not in planned]
        if missing:
            names = ", ".join(missing[:_MOST_NAMED]) + ", …" * (len(missing) > _MOST_NAMED)
            total = counted(len(self.patterns), "failed case")
            options.say(f"no longer planned: {len(missing)} of {total}: {names}")
        if len(missing) == len(self.patterns):
            raise WrongInputError("no failed case is planned, so there is nothing to rerun")
        return tuple(planned[name] for name in self.patterns if name in planned)

    def request(
        self, cases: tuple[Case, ...], config: RunConfig, standard: str, change: Change | None
    ) -> Request:
        """Return the request for a run of the cases, or of the shard's part of them."""
        if change is not None and not change.reaches({case.operator for case in cases}):
            raise WrongInputError(
                f"--{change.kind} {change.id} changes no selected operator; select one that it "
                "changes: `aclnn-cts faults --all` lists them"
            )
        if self.shard is not None:
            config = replace(config, shard=str(self.shard), plan_sha256=digest_of_plan(cases))
            cases = self.shard.cases_of(cases)
        results = self.folder(config.product)
        return Request(config.product, self.tier, standard, cases, results, config, change)


@dataclass(frozen=True)
class RunOptions:
    """The options of a run."""

    context: typer.Context
    operator: options.Operators = None
    product: Annotated[
        list[str] | None,
        typer.Option(
            "--product",
            help=f"The product [that of the device; {DEFAULT_PRODUCT}]; with --ray several.",
        ),
    ] = None
    tier: options.TierName = options.DEFAULT_TIER
    edition: options.EditionName = CURRENT
    folders: options.SpecFolders = None
    case: options.CasePatterns = None
    case_list: options.CaseList = None
    calls: options.CallListFile = None
    rerun_failed: Annotated[
        Path | None,
        typer.Option(
            "--rerun-failed", metavar="RESULTS", help="Only the cases that failed in this run."
        ),
    ] = None
    standard: options.StandardName = DEFAULT_STANDARD
    cann: options.CannFolder = None
    simulator: Annotated[
        bool, typer.Option("--simulator", help="Run on the built-in simulated device.")
    ] = False
    devices: options.DeviceNumbers = None
    results: Annotated[
        Path | None,
        typer.Option(
            "--results", help="Results folder [results/PRODUCT-TIER or results/case, then -ID]."
        ),
    ] = None
    jobs: options.Jobs = options.CORES
    sanitize: Annotated[
        bool, typer.Option("--sanitize", help="Build with AddressSanitizer and UBSan.")
    ] = False
    fault: Annotated[
        str | None,
        typer.Option("--fault", help="Give the simulated device this fault of the catalog."),
    ] = None
    variant: Annotated[
        str | None, typer.Option("--variant", help="Run on this variant of the simulated device.")
    ] = None
    case_timeout: Annotated[
        float | None,
        typer.Option(
            "--case-timeout",
            metavar="SECONDS",
            min=0.1,
            max=MOST_SECONDS,
            help=f"Time limit of a case in seconds [{CASE_SECONDS:g}].",
        ),
    ] = None
    batch_timeout: Annotated[
        float | None,
        typer.Option(
            "--batch-timeout",
            metavar="SECONDS",
            min=1.0,
            max=MOST_SECONDS,
            help=f"Time limit of a program in seconds [{BATCH_SECONDS:g}].",
        ),
    ] = None
    waivers: options.WaiverFile = None
    resume: Annotated[
        bool, typer.Option("--resume", help="Finish the interrupted run in --results.")
    ] = False
    timings: options.Timings = 0
    enforce: options.Enforce = False
    no_reuse: options.NoReuse = False
    keep_outputs: Annotated[
        bool,
        typer.Option(
            "--keep-outputs", help="Keep the outputs of passing cases, to judge them anew later."
        ),
    ] = False
    ray: Annotated[
        str | None,
        typer.Option("--ray", metavar="ADDRESS", help="Run on the hosts of this Ray cluster."),
    ] = None
    cann_version: Annotated[
        str | None,
        typer.Option("--cann-version", help="With --ray: only hosts with this version of CANN."),
    ] = None
    judge: Annotated[
        JudgingPlace,
        typer.Option("--judge", help="With --ray: judge at home, or on the hosts of the cluster."),
    ] = JudgingPlace.HOME
    shard: Annotated[
        str | None,
        typer.Option("--shard", metavar="K/N", help="Only the K-th of N parts of the cases."),
    ] = None
    explore: Annotated[
        bool, typer.Option("--explore", help="Random calls instead of a tier's, until --for ends.")
    ] = False
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="With --explore: what is drawn [random].")
    ] = None
    duration: Annotated[
        str, typer.Option("--for", metavar="TIME", help="With --explore: how long, such as 30m.")
    ] = "10m"
    progress: options.ProgressForm = AUTO
    verbose: options.Verbose = False


@options.take_options(RunOptions)
def run(arguments: RunOptions) -> None:
    """Run cases on a device and judge them."""
    option_names = tuple(_explicit_options(arguments.context))
    require_waivers(arguments.waivers)
    if arguments.ray is not None and arguments.progress != AUTO:
        raise WrongInputError("--ray and --progress exclude each other; leave out --progress")
    progress = progress_of(arguments.progress)
    products = tuple(dict.fromkeys(arguments.product or ()))
    _require_cluster(arguments.ray, products, option_names)
    if arguments.resume:
        options.show_and_exit(_resume(arguments, option_names, progress), verbose=arguments.verbose)
    patterns = options.case_patterns(arguments.case, arguments.case_list)
    if arguments.rerun_failed is None:
        selection = _select(arguments, option_names, products, patterns)
    else:
        selection = _select_failed(arguments, option_names, arguments.rerun_failed)
    config = _config(arguments, selection)
    standard = one_of("standard", arguments.standard, STANDARDS)
    judging = Judging(
        selection.suite, standard, arguments.jobs, arguments.enforce, reuse=not arguments.no_reuse
    )
    if not arguments.explore and (name := next(iter({"seed", "duration"} & {*option_names}), "")):
        option = {"duration": "for"}.get(name, name)
        raise WrongInputError(f"--{option} needs --explore; add --explore, or leave out --{option}")
    if arguments.explore:
        _explore(arguments, option_names, config, selection, judging)
    if arguments.ray is None:
        report = _begin(config, selection, judging, arguments.waivers, progress)
        options.show_and_exit(report, verbose=arguments.verbose)
    version = arguments.cann_version
    reports = _begin_on_cluster(config, selection, judging, arguments.waivers, version)
    options.show_and_exit(*reports, verbose=arguments.verbose)


def _select(
    arguments: RunOptions,
    option_names: tuple[str, ...],
    products: tuple[str, ...],
    patterns: tuple[str, ...],
) -> _Selection:
    """Return the cases of a new run."""
    suite = options.suite_with(arguments.folders)
    if arguments.calls is not None and "tier" in option_names:
        raise WrongInputError("--calls and --tier exclude each other; give one of them")
    return _Selection(
        suite=suite,
        tier=arguments.tier if arguments.calls is None else LISTED,
        calls=arguments.calls,
        edition=arguments.edition,
        operators=tuple(arguments.operator or ()),
        patterns=patterns,
        fault=arguments.fault,
        variant=arguments.variant,
        results=arguments.results,
        products=products,
        shard=None if arguments.shard is None else Shard.parse(arguments.shard),
    )


def _select_failed(
    arguments: RunOptions, option_names: tuple[str, ...], earlier: Path
) -> _Selection:
    """Return the cases that failed in an earlier run."""
    _refuse_to_replace(earlier, arguments.results)
    folders = arguments.folders or ()
    with if_refused(functools.partial(claim_to_withdraw, arguments.results)):
        before, failed = _failed_cases(earlier, option_names)
        suite = with_current_folders(find_suite(), before.suite.folders, earlier, folders)
    selection = _Selection(
        suite=suite,
        tier=before.tier,
        calls=Path(before.calls) if before.calls else None,
        edition=before.edition,
        operators=(),
        patterns=failed,
        fault=arguments.fault,
        variant=arguments.variant,
        results=arguments.results,
        products=(before.device.product,),
        shard=None if arguments.shard is None else Shard.parse(arguments.shard),
        rerun=True,
    )
    _refuse_to_replace(earlier, selection.folder(before.device.product))
    _compare_with(before, earlier, selection)
    return selection


def _config(arguments: RunOptions, selection: _Selection) -> RunConfig:
    """Return the configuration of a new run."""
    faulty, variant = arguments.fault is not None, arguments.variant is not None
    options.refuse_contradiction(
        arguments.cann, arguments.simulator, arguments.fault, arguments.variant
    )
    _refuse_together(fault=faulty, variant=variant, sanitize=arguments.sanitize)
    products, calls = selection.products, selection.calls
    return RunConfig(
        product=products[0] if len(products) == 1 else "",
        cann=str(arguments.cann) if arguments.cann else "",
        simulator=arguments.simulator or faulty or variant,
        sanitize=arguments.sanitize,
        devices=parse_devices(arguments.devices) if arguments.devices is not None else (),
        case_seconds=arguments.case_timeout or case_seconds_of(faulty=faulty),
        batch_seconds=arguments.batch_timeout or BATCH_SECONDS,
        timings=arguments.timings,
        calls=str(calls.resolve()) if calls else "",
        unlisted=unlisted_calls(calls) if calls else {},
        selected=bool(selection.patterns),
        cluster=arguments.ray or "",
        judge=arguments.judge.value,
        keep_outputs=arguments.keep_outputs,
    )


_NOT_EXPLORED = (
    *("tier", "calls", "case", "case_list", "rerun_failed", "resume", "ray", "shard", "timings"),
    "waivers",
)
"""Options that exclude --explore."""


def _explore(
    arguments: RunOptions,
    option_names: tuple[str, ...],
    config: RunConfig,
    selection: _Selection,
    judging: Judging,
) -> NoReturn:
    """Run random calls until time is up, and then those that broke promises once more.

    Raises:
        WrongInputError: Options exclude each other, or the results folder exists.
        NotTrustworthyError: As for :func:`_begin`.
    """
    if name := next((name for name in option_names if name in _NOT_EXPLORED), None):
        raise WrongInputError(f"--explore and --{name.replace('_', '-')} exclude each other")
    seconds = parse_duration(arguments.duration)
    seed = secrets.randbelow(2**31) if arguments.seed is None else arguments.seed
    loaded, specs, _ = selection.load()
    toolkit = _toolkit(config, selection)
    config = resolve(judging.suite, specs, config, toolkit, os.environ, options.say)
    product = specs.product(config.product)
    folder = arguments.results or Path("results") / f"explored-{product.id}-{seed}"
    if folder.exists():
        raise WrongInputError(f"{folder}: exists already; name another folder with --results")
    folder.mkdir(parents=True)

    def run_calls(calls: Path, results: Path) -> Report:
        listed = replace(loaded, tier=LISTED, calls=calls, results=results, operators=())
        listing = replace(config, calls=str(calls.resolve()))
        return _begin(listing, listed, judging, None, progress_of(arguments.progress))

    explorers = [
        Explorer(specs, spec, product, seed)
        for spec in specs.select_tested(loaded.operators)
        if spec.supports(product.id)
    ]
    options.say(f"seed {seed}, {counted(len(explorers), 'operator')}: {folder}")
    exploration = Exploration(judging.suite, specs, product.id, explorers, run_calls, folder)
    exploration.run(seconds)
    code = exploration.exit_code
    if not exploration.found:
        count = counted(exploration.totals["planned"], "call")
        is_proof = code is ExitCode.PASSED
        but = "" if is_proof else f", but not all rounds prove it ({folder} has the others)"
        typer.echo(f"{count} broke no promise{but}: exit status {int(code)}")
        raise typer.Exit(int(code))
    options.say(f"{folder / 'scenes.yaml'}: drafts of scenes for the specs")
    report = run_calls(exploration.write_findings(), folder / "found")
    options.show(report, verbose=arguments.verbose)
    raise typer.Exit(int(strongest((report.exit_code, code))))


def _require_cluster(
    ray: str | None, products: Sequence[str], option_names: tuple[str, ...]
) -> None:
    """Check the options that are about a cluster.

    Raises:
        WrongInputError: One of them goes with --ray alone, or not with it, or Ray is missing.
    """
    if ray is None:
        uses = {
            "--cann-version": "cann_version" in option_names,
            "--judge": "judge" in option_names,
            "several products": len(products) > 1,
        }
        if name := next((name for name, is_used in uses.items() if is_used), None):
            raise WrongInputError(f"{name} can be given with --ray only")
        return
    if "devices" in option_names:
        raise WrongInputError("--ray and --devices exclude each other; Ray assigns the cards")
    if importlib.util.find_spec("ray") is None:
        raise WrongInputError("--ray needs Ray; install it with: pip install 'aclnn-cts[ray]'")


def _explicit_options(context: typer.Context) -> Iterator[str]:
    """Yield the names of the options that the user gave."""
    for name in context.params:
        source = context.get_parameter_source(name)
        if source is not None and source.name not in ("DEFAULT", "DEFAULT_MAP"):
            yield name


def _refuse_together(**uses: bool) -> None:
    """Raise WrongInputError if two of these options are given."""
    names = [f"--{name}" for name, is_used in uses.items() if is_used]
    if len(names) > 1:
        raise WrongInputError(f"{names[0]} and {names[1]} exclude each other; give one of them")


def _failed_cases(
    folder: Path, option_names: tuple[str, ...]
) -> tuple[ResultsDocument, tuple[str, ...]]:
    """Return the results of a run, and the cases that did not pass in it."""
    if name := next((name for name in option_names if name in _OF_THE_RUN), None):
        raise WrongInputError(
            f"--rerun-failed and --{name.replace('_', '-')} exclude each other; "
            "the earlier run determines the cases"
        )
    earlier = read_results(folder)
    failed = tuple(
        case.id
        for case in earlier.cases
        if case.verdict.breaks_promise or case.verdict.proves_nothing
    )
    if not failed:
        raise WrongInputError(f"{folder}: no case failed, so there is nothing to rerun")
    return earlier, failed


def _refuse_to_replace(folder: Path, results: Path | None) -> None:
    """Raise WrongInputError if a rerun would replace the run whose failures it reruns."""
    if results is not None and results.resolve() == folder.resolve():
        raise WrongInputError(
            f"{folder}: a rerun must not replace the run in which the cases failed; "
            "name another folder with --results"
        )


def _compare_with(before: ResultsDocument, folder: Path, selection: _Selection) -> None:
    """Report differences from the run whose failures are rerun."""
    if changed := first_changed(selection.suite, before.suite.folders):
        options.say(
            f"the operators in {changed.path} have changed since {folder}; they run as they are now"
        )
    earlier = before.device
    current = replace(earlier, fault=selection.fault or "", variant=selection.variant or "")
    if earlier.changed and current != earlier:
        kind, _, name = earlier.changed.partition(" ")
        change = f"the {current.changed}" if current.changed else f"none (add --{kind} {name})"
        options.say(f"the earlier run had the {earlier.changed}; this one has {change}")


def _begin(
    config: RunConfig,
    selection: _Selection,
    judging: Judging,
    waivers: Path | None,
    progress: Shown,
) -> Report:
    """Run cases and publish the report on them.

    An earlier judgement in the folder is withdrawn as soon as the options are valid: before devices
    are queried and cases are planned, which may take minutes.

    Raises:
        WrongInputError: Something that was asked for does not exist.
        NotTrustworthyError: A build fails, a program does not start, or no device can be used.
    """
    with withdraw_unless_mistyped(selection.known_folder(config.product)):
        selection, specs, change = selection.load()
        acceptance = load_acceptance(waivers, specs)
        if config.product:
            specs.product(config.product)
        toolkit = _toolkit(config, selection)
        product = config.product or (DEFAULT_PRODUCT if toolkit is None else "")
        cases: tuple[Case, ...] = ()
        if product and (selection.patterns or selection.calls):
            cases = selection.cases(specs, product, judging.jobs)
    claim_to_withdraw(selection.known_folder(product))
    config = resolve(judging.suite, specs, config, toolkit, os.environ, options.say)
    usual = (0,) * (1 if config.cann else judging.jobs)
    config = replace(config, devices=config.devices or usual)

    def conduct(display: Progress, rerun: Rerun) -> RunFolder:
        chosen = cases or selection.cases(specs, config.product, judging.jobs, display)
        request = selection.request(chosen, config, judging.standard, change)
        request = replace(request, jobs=judging.jobs)
        return run_campaign(judging.suite, specs, request, display, rerun)

    return _publish(conduct, judging, acceptance, progress)


def _begin_on_cluster(
    config: RunConfig,
    selection: _Selection,
    judging: Judging,
    waivers: Path | None,
    version: str | None,
) -> tuple[Report, ...]:
    """Run cases on the hosts of a Ray cluster, those of each product at the same time.

    Errors and the fate of earlier judgements are as for :func:`_begin`.
    """
    with contextlib.ExitStack() as stack:
        for product in selection.products or [""]:
            stack.enter_context(withdraw_unless_mistyped(selection.known_folder(product)))
        selection, specs, change = selection.load()
        acceptance = load_acceptance(waivers, specs)
        for product in selection.products:
            specs.product(product)
    with _connect(config.cluster, judging.suite) as cluster:
        products = selection.products
        hosts = cluster.by_product(config, specs, products, version or "", options.say)
        selection = replace(selection, products=tuple(hosts))
        conducts: dict[str, _Conduct] = {}
        for product, product_hosts in hosts.items():
            claim_to_withdraw(selection.folder(product))
            product_config = replace(config, product=product, cann=product_hosts[0].survey.toolkit)
            cases = selection.cases(specs, product)
            request = selection.request(cases, product_config, judging.standard, change)
            conduct = functools.partial(run_campaign, judging.suite, specs, request)
            conducts[product] = functools.partial(
                _run_on_hosts, conduct, cluster, product_hosts, judging
            )
        return _publish_all(conducts, judging, acceptance, cluster.stop)


@contextlib.contextmanager
def _connect(address: str, suite: Suite) -> Iterator[RayCluster]:
    from aclnn_cts.run.ray_cluster import RayCluster  # noqa: PLC0415 - Ray takes a second

    with contextlib.closing(RayCluster(address, suite)) as cluster:
        yield cluster


def _run_on_hosts(
    conduct: Callable[..., RunFolder],
    cluster: RayCluster,
    hosts: Sequence[SurveyedHost],
    judging: Judging,
    progress: Progress,
    rerun: Rerun,
) -> RunFolder:
    from aclnn_cts.run.ray_cluster import RayEngine  # noqa: PLC0415 - as for _connected
    from aclnn_cts.run.ray_executor import Judge  # noqa: PLC0415 - as for _connected

    judge = Judge(
        functools.partial(failures_of, judging), functools.partial(judge_process, judging.standard)
    )
    return conduct(progress, rerun, engine=RayEngine(cluster, hosts, judge, progress.say))


def _toolkit(config: RunConfig, selection: _Selection) -> FoundToolkit | None:
    try:
        return choose_toolkit(config, os.environ, options.say)
    except WrongInputError:
        # No typo, as a rule: what a nightly job has named all along is not there any more.
        claim_to_withdraw(selection.known_folder(config.product))
        raise


def _require_resumable(results: Path | None, option_names: tuple[str, ...]) -> Path:
    """Return the folder of the run that is to go on, after a look at what else was given.

    Raises:
        WrongInputError: No folder is named, or an option is given that would change what is run.
    """
    if results is None:
        raise WrongInputError("--resume needs --results: name the folder of the interrupted run")
    for name in option_names:
        if name not in _WITH_RESUME:
            raise WrongInputError(
                f"--resume and --{name.replace('_', '-')} exclude each other; "
                "the folder records the options"
            )
    return results


def _resume(arguments: RunOptions, option_names: tuple[str, ...], progress: Shown) -> Report:
    """Finish an interrupted run, and publish the report on it.

    Raises:
        WrongInputError: Something that was given is wrong; an earlier judgement stays then.
        NotTrustworthyError: The run is damaged, or cannot go on.
    """
    results = _require_resumable(arguments.results, option_names)
    suite = suite_of(results, arguments.folders or ())
    with withdraw_unless_mistyped(results):
        devices = arguments.devices if "devices" in option_names else None
        numbers = parse_devices(devices) if devices is not None else ()
        interrupted = open_interrupted(results, suite)
        if numbers:
            interrupted = replace(interrupted, config=replace(interrupted.config, devices=numbers))
        if arguments.ray is not None:
            interrupted = replace(
                interrupted, config=replace(interrupted.config, cluster=arguments.ray)
            )
        specs = load_specs(suite, interrupted.edition)
        change = recorded_change(suite, interrupted.device)
        acceptance = load_acceptance(arguments.waivers, specs)
        judging = Judging(
            suite,
            recorded_standard(interrupted),
            arguments.jobs,
            arguments.enforce,
            reuse=not arguments.no_reuse,
        )
    conduct = functools.partial(resume_campaign, suite, specs, Interrupted(interrupted, change))
    if not interrupted.config.cluster:
        return _publish(conduct, judging, acceptance, progress)
    _require_cluster(interrupted.config.cluster, (), ())
    with _connect(interrupted.config.cluster, suite) as cluster:
        product = interrupted.device.product
        hosts = cluster.by_product(interrupted.config, specs, [product], "", options.say)[product]
        on_hosts = functools.partial(_run_on_hosts, conduct, cluster, hosts, judging)
        return _publish(on_hosts, judging, acceptance, progress)


_Conduct = Callable[[Progress, Rerun], RunFolder]
"""Runs a campaign."""


def _publish(
    conduct: _Conduct, judging: Judging, acceptance: Acceptance | None, progress: Shown
) -> Report:
    """Run cases, and write the report; raises as the given campaign."""
    with progress as display:
        confirmation = Confirmation(judging, display.stage, display.step)
        try:
            run = conduct(display, confirmation)
        except KeyboardInterrupt as ended:
            raise KeyboardInterrupt("results of this run are incomplete", *ended.args) from None
        report = publish(run, judging, confirmation.judged, acceptance)
    prune_cache(judging.suite.cache)
    return report


class _Lane(ConsoleProgress):
    """The progress of one of several campaigns, which all end when one of them is interrupted."""

    def __init__(self, stop: threading.Event, beside: ConsoleProgress, title: str) -> None:
        super().__init__(beside, title)
        self._stop = stop

    def step(self, done: int) -> None:
        """Say how many steps of the stage are done; raises KeyboardInterrupt if all is to end."""
        if self._stop.is_set():
            raise KeyboardInterrupt
        super().step(done)


def _publish_all(
    conducts: Mapping[str, _Conduct],
    judging: Judging,
    acceptance: Acceptance | None,
    stop: threading.Event,
) -> tuple[Report, ...]:
    """Run the cases of several products at the same time; as :func:`_publish` for each.

    One that fails does not end the others: its error is raised when they have been shown.
    """
    if len(conducts) == 1:
        (conduct,) = conducts.values()
        return (_publish(conduct, judging, acceptance, ConsoleProgress()),)
    with ConsoleProgress() as display, ThreadPoolExecutor(len(conducts)) as pool:
        runs = [
            pool.submit(_publish, conduct, judging, acceptance, _Lane(stop, display, product))
            for product, conduct in conducts.items()
        ]
        try:
            wait(runs)
        except KeyboardInterrupt:
            stop.set()
            wait(runs)
    errors = [error for error in (run.exception() for run in runs) if error is not None]
    if stop.is_set():
        raise KeyboardInterrupt(*(str(part) for error in errors for part in error.args))
    if errors:
        options.show(*(run.result() for run in runs if run.exception() is None))
        raise errors[0]
    return tuple(run.result() for run in runs)

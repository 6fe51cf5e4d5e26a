# SPDX-License-Identifier: Apache-2.0
"""Selection of a store's runs, and differences between two of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from packaging.version import Version

from aclnn_cts.errors import ExitCode, NotTrustworthyError, WrongInputError, unknown_name
from aclnn_cts.results.document import ResultsDocument
from aclnn_cts.spec.waivers import cann_version
from aclnn_cts.store.address import is_id
from aclnn_cts.store.folder import Store


@dataclass(frozen=True)
class RunFacts:
    """A run in the store; unknown fields are empty.

    Attributes:
        id: The first digits of the digest of what is recorded.
        started: When it began, in ISO 8601.
        nonce: The nonce of its events.
        label: Its label.
        kind: ``simulator`` or ``hardware``.
        fault: The fault of the simulated device.
        variant: The variant of the simulated device.
        build: A digest of everything that determines how cases should end.
        failing: Number of cases that break a promise and are not waived.
        waived: Number of cases that are waived.
        unproven: Number of cases that prove nothing.
        withdrawn: Why it was withdrawn; None if it was not.
        operators: Its operators.
        contract_only: Those whose values it does not test.
        cards: Host and card of each place of its cases; -1 for an unknown card.
    """

    id: str
    started: str
    recorded: str
    nonce: str
    label: str
    report: str
    product: str
    kind: str
    soc: str
    cann: str
    driver: str
    firmware: str
    host: str
    fault: str
    variant: str
    build: str
    tier: str
    standard: str
    edition: str
    suite: str
    specs: str
    cases: int
    failing: int
    waived: int
    unproven: int
    exit_status: int
    withdrawn: str | None
    operators: tuple[str, ...]
    contract_only: tuple[str, ...]
    cards: tuple[tuple[str, int], ...]

    @property
    def age(self) -> tuple[str, str, str]:
        """Sort key: smaller for earlier runs."""
        return self.started, self.recorded, self.id

    @property
    def short(self) -> str:
        """Its id as messages show it."""
        return self.id[:SHORT]

    @property
    def card_kind(self) -> str:
        """The product, with a mark for simulated devices."""
        return self.product if self.kind != "simulator" else f"{self.product} (simulated)"


SHORT = 8
"""Number of shown digits of an id."""

_NULLABLE = ("withdrawn", "cards")
_COLUMNS = ", ".join(
    {"id": "run", "started": "strftime(started, '%Y-%m-%dT%H:%M:%S+00:00')"}.get(name, name)
    for name in (item.name for item in fields(RunFacts))
)


def all_runs(store: Store) -> list[RunFacts]:
    """Return all runs, the earliest first."""
    query = f"SELECT {_COLUMNS} FROM entries WHERE entry = 'run'"  # noqa: S608 - our own names
    rows = [row for row in store.rows(query) if row[0] not in store.withdrawn]
    rows += store.rows(f"SELECT {_COLUMNS} FROM gone WHERE entry = 'run'")  # noqa: S608 - as above
    return sorted(map(_facts, rows), key=lambda run: run.age)


def _facts(row: Sequence[Any]) -> RunFacts:
    names = (item.name for item in fields(RunFacts))
    # an empty text is null in a file
    facts: dict[str, Any] = {
        name: "" if value is None and name not in _NULLABLE else value
        for name, value in zip(names, row, strict=True)
    }
    cards = tuple((card["host"] or "", card["card"]) for card in facts["cards"] or ())
    words = {name: tuple(facts[name].split()) for name in ("operators", "contract_only")}
    return RunFacts(**{**facts, **words, "cards": cards})


@dataclass(frozen=True)
class Selection:
    """A selection of runs; empty fields select all.

    Attributes:
        hosts: Hosts on which any of their cases ran.
        since: Earliest begin, in ISO 8601.
        before: Latest begin (exclusive), in ISO 8601.
        withdrawn: Whether to include withdrawn runs.
    """

    products: tuple[str, ...] = ()
    cann: str = ""
    hosts: tuple[str, ...] = ()
    tier: str = ""
    since: str = ""
    before: str = ""
    withdrawn: bool = False

    def __contains__(self, run: RunFacts) -> bool:
        return (
            (not self.products or run.product in self.products)
            and self.cann in ("", run.cann)
            and (not self.hosts or not {host for host, _ in run.cards}.isdisjoint(self.hosts))
            and self.tier in ("", run.tier)
            and run.started >= self.since
            and (not self.before or run.started < self.before)
            and (self.withdrawn or run.withdrawn is None)
        )


def select_runs(store: Store, selection: Selection) -> dict[str, RunFacts]:
    """Return the runs of a selection by id, the earliest first.

    The table ``chosen`` then has them, with their places in this order.

    Raises:
        WrongInputError: No run matches.
    """
    runs = all_runs(store)
    selected_runs = {run.id: run for run in runs if run in selection}
    if not selected_runs:
        _refuse(runs, selection)
    store.rows(
        "CREATE OR REPLACE TEMP TABLE chosen AS SELECT unnest(?::VARCHAR[]) AS run, "
        "unnest(?::INTEGER[]) AS n, unnest(?::VARCHAR[]) AS card_kind",
        [
            list(selected_runs),
            list(range(len(selected_runs))),
            [run.card_kind for run in selected_runs.values()],
        ],
    )
    return selected_runs


def _refuse(runs: Sequence[RunFacts], selection: Selection) -> None:
    """Raise WrongInputError for an unknown name, with the existing names."""
    for kind, names, values in (
        ("product", selection.products, {run.product for run in runs}),
        ("host", selection.hosts, {host for run in runs for host, _ in run.cards}),
        ("CANN version", filter(None, [selection.cann]), {run.cann for run in runs}),
        ("tier", filter(None, [selection.tier]), {run.tier for run in runs}),
    ):
        for name in names:
            if name not in values:
                raise unknown_name(f"{kind} in the store", name, values)
    raise WrongInputError(
        "the store has no such run; `aclnn-cts store show` lists its runs, "
        "`aclnn-cts store add RESULTS` adds one"
    )


def run_of(runs: Sequence[RunFacts], name: str) -> RunFacts:
    """Return the run whose id begins with these digits.

    Raises:
        WrongInputError: There is none, or several.
    """
    matches = [run for run in runs if run.id.startswith(name)]
    if not matches:
        raise WrongInputError(f"the store holds no run {name}; `aclnn-cts store show` lists them")
    if len(matches) > 1:
        names = " and ".join(run.id for run in matches[:2])
        raise WrongInputError(f"{name} is the beginning of {names}; give more digits")
    return matches[0]


_COMPARED = {
    "cann": "CANN",
    "driver": "driver",
    "firmware": "firmware",
    "soc": "SoC",
    "host": "host",
    "fault": "fault",
    "variant": "variant",
    "edition": "edition",
    "standard": "standard",
    "tier": "tier",
    "suite": "suite",
    "specs": "specs",
}
_DIGITS = 12


def differences(base: RunFacts, new: RunFacts) -> tuple[str, ...]:
    """Return the differences between two runs as short texts."""
    differing = []
    for name, title in _COMPARED.items():
        before, after = (str(getattr(side, name)) for side in (base, new))
        if name == "specs":
            before, after = before[:_DIGITS], after[:_DIGITS]
        if before != after:
            differing.append(f"{title} {before or 'none'} → {after or 'none'}")
    if not differing and base.build != new.build:
        differing.append("the libraries of CANN, although their version is the same")
    return tuple(differing)


def by_version(runs: Sequence[RunFacts]) -> Mapping[str, list[RunFacts]]:
    """Return runs by version of CANN, in order; unknown versions come last."""
    versions: dict[str, list[RunFacts]] = {}
    for run in runs:
        versions.setdefault(run.cann, []).append(run)

    def key(name: str) -> tuple[bool, Version, str]:
        version = cann_version(name)
        return version is None, version or Version("0"), name

    return {name: versions[name] for name in sorted(versions, key=key)}


def operators_of(runs: Iterable[RunFacts], names: Sequence[str] = ()) -> list[str]:
    """Return operators in the order of their names; all if empty.

    Raises:
        WrongInputError: The store does not know one of them.
    """
    tested = sorted({name for operators in {run.operators for run in runs} for name in operators})
    for name in names:
        if name not in tested:
            raise unknown_name("operator in the store", name, tested)
    return [name for name in tested if not names or name in names]


LAST_GREEN = "last-green"


def baseline_of(runs: Sequence[RunFacts], new: ResultsDocument, baseline: str) -> RunFacts:
    """Return the baseline of a new run.

    Args:
        runs: All runs, the earliest first.
        new: The new run; it may be in the store, and is never its own baseline.
        baseline: ``last-green`` for the last run that ended with exit status 0, the id of a run, a
            label, or a version of CANN. Of several runs, the last one before the new one with the
            same product, kind of device, tier, standard and edition is used.

    Raises:
        WrongInputError: There is no run with that id.
        NotTrustworthyError: There is no such run, or it was withdrawn.
    """
    if is_id(baseline):
        named_run = run_of(runs, baseline)
        if named_run.withdrawn is not None:
            raise NotTrustworthyError(f"run {named_run.short} was withdrawn: {named_run.withdrawn}")
        return named_run
    earlier = [run for run in runs if _is_earlier(run, new)]
    if baseline == LAST_GREEN:
        candidates = [run for run in earlier if run.exit_status == ExitCode.PASSED]
    else:
        candidates = [run for run in earlier if run.label == baseline] or [
            run for run in earlier if run.cann == baseline
        ]
    if not candidates:
        sought = "run that ended with exit status 0" if baseline == LAST_GREEN else f"{baseline!r}"
        raise NotTrustworthyError(
            f"the store holds no {sought} of {new.device.product}, tier {new.tier}, standard "
            f"{new.standard} and edition {new.edition} from before {new.started}; "
            "`aclnn-cts store show` lists its runs"
        )
    return candidates[-1]


def _is_earlier(run: RunFacts, new: ResultsDocument) -> bool:
    """Whether a run counts, and tested the same on the same kind of device before another one."""
    kind = (run.product, run.kind, run.tier, run.standard, run.edition)
    new_kind = (new.device.product, new.device.kind, new.tier, new.standard, new.edition)
    is_before = run.nonce != new.nonce and run.started < new.started
    return kind == new_kind and is_before and run.withdrawn is None

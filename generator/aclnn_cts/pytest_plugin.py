# SPDX-License-Identifier: Apache-2.0
"""Plain ``pytest`` in a folder of results: one item per case.

Every pytest session of the environment loads this module. So it imports nothing heavy before it
collects a ``run.json`` of ours, and leaves all other files alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from aclnn_cts.errors import CtsError, ExitCode, counted, strongest
from aclnn_cts.run.folder_lock import (
    LOCK_FILE,
    REPORT_FILES,
    if_refused,
    is_ours,
    reading,
    require_same,
    withdraw,
)
from aclnn_cts.run.journal import RUN_FILE

if TYPE_CHECKING:
    from _pytest._code.code import ExceptionInfo, TerminalRepr

    from aclnn_cts.judging import Report
    from aclnn_cts.run.folder import RunFolder


@dataclass
class _Judgement:
    """The session's state of one results folder.

    Attributes:
        items: Its cases that were selected.
        report: What was found; None if it was not judged.
        kept: How the results in the folder were judged, if they are kept.
        written: The report's files.
    """

    run: RunFolder
    items: list[CaseItem] = field(default_factory=list)
    report: Report | None = None
    kept: str = ""
    written: tuple[Path, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether all cases are selected."""
        return len(self.items) == len(self.run.cases)


@dataclass
class _Session:
    """The session's state.

    Attributes:
        folders: By results folder.
        refused: Errors that an item or a collector reports.
        unwritten: Errors that no item reports.
    """

    folders: dict[Path, _Judgement] = field(default_factory=dict)
    refused: list[CtsError] = field(default_factory=list)
    unwritten: list[CtsError] = field(default_factory=list)


_SESSION = pytest.StashKey[_Session]()


class NotPassedError(Exception):
    """A case did not pass; its text is the failure message."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that choose the standard and the number of judging processes."""
    group = parser.getgroup("aclnn-cts")
    group.addoption(
        "--cts-standard",
        choices=("strict", "ecosystem", "statistical"),
        default=None,
        help="the deciding precision standard (default: the run's own)",
    )
    group.addoption(
        "--cts-jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="number of judging processes (default: one per core)",
    )

    group.addoption(
        "--cts-specs",
        action="append",
        default=[],
        metavar="DIR",
        help="the folder of operators that a run was made with; its code runs; may be repeated",
    )
    group.addoption("--cts-waivers", default="", metavar="FILE", help="a file of accepted failures")
    group.addoption(
        "--cts-enforce",
        "--enforce",
        action="store_true",
        default=False,
        help="fail a call that breaks a requirement if the device accepts it",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_SESSION] = _Session()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> RunFile | None:
    """Collect a results folder by its ``run.json``, or its lock if that is missing."""
    # Check the name first, because this hook sees every file of every session.
    if file_path.name not in (RUN_FILE, LOCK_FILE) or not is_ours(file_path.parent):
        return None
    if file_path.name == LOCK_FILE and (file_path.parent / RUN_FILE).exists():
        return None
    return RunFile.from_parent(parent, path=file_path)


class RunFile(pytest.File):
    """A run's folder; one that is damaged is refused when its cases are collected."""

    def collect(self) -> Iterator[CaseItem]:
        """Yield one item per planned case."""
        if hasattr(self.config, "workerinput"):  # a worker of pytest-xdist sees a part of the run
            raise self.CollectError(
                f"{self.path.parent}: leave out -n; judging uses several processes by itself, as "
                "many as --cts-jobs says"
            )
        from aclnn_cts.spec.waivers import require_waivers  # noqa: PLC0415 - see the docstring

        try:
            require_waivers(_waivers(self.config))
            run = _open(self.config, self.path.parent)
        except CtsError as error:
            self.config.stash[_SESSION].refused.append(error)
            raise self.CollectError(str(error)) from None
        self.config.stash[_SESSION].folders[self.path.parent] = _Judgement(run)
        for case in run.cases:
            yield CaseItem.from_parent(self, name=case.id)

    def repr_failure(
        self, excinfo: ExceptionInfo[BaseException], style: Any = None
    ) -> str | TerminalRepr:
        """Return the sentence alone."""
        del style
        if isinstance(excinfo.value, self.CollectError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)


def _waivers(config: pytest.Config) -> Path | None:
    option = config.getoption("--cts-waivers")
    return Path(option) if option else None


def _operator_folders(config: pytest.Config) -> list[Path]:
    return [Path(name) for name in config.getoption("--cts-specs")]


def _open(config: pytest.Config, folder: Path) -> RunFolder:
    """Open a run. If it is refused in a session that judges it whole, withdraw its judgement."""
    from aclnn_cts.run.folder import open_run, suite_of  # noqa: PLC0415 - see the docstring

    def withdraw_it() -> None:
        if not _is_partial(config):
            withdraw(folder)

    with reading(folder):
        suite = suite_of(folder, _operator_folders(config))
        with if_refused(withdraw_it):
            return open_run(folder, suite)


def _is_partial(config: pytest.Config) -> bool:
    """Whether a session runs only some tests or none, and so writes no report."""
    return any(config.getoption(name, None) for name in _NARROWING) or any(
        "::" in argument for argument in config.args
    )


_NARROWING = ("collectonly", "keyword", "markexpr", "deselect", "lf", "stepwise")
"""Options of pytest that leave tests out."""


class _Item(pytest.Item):
    def reportinfo(self) -> tuple[Path, None, str]:
        """Return where the item comes from, and its name."""
        return self.path, None, self.name


class CaseItem(_Item):
    """One case."""

    def runtest(self) -> None:
        report = self.config.stash[_SESSION].folders[self.path.parent].report
        assert report is not None  # noqa: S101 - else this item was replaced
        case = report.case(self.name)
        if case.waiver is not None:
            pytest.skip(f"waived by {case.waiver}")
        if case.is_unenforced and not report.document.enforce:
            pytest.skip(f"unenforced: {', '.join(case.unenforced)}: {case.message}")
        if case.story:
            raise NotPassedError(case.story)

    def repr_failure(
        self, excinfo: ExceptionInfo[BaseException], style: Any = None
    ) -> str | TerminalRepr:
        """Return the failure message alone."""
        if isinstance(excinfo.value, NotPassedError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)


class RefusedItem(_Item):
    """One item for all cases of a run that cannot be judged."""

    reason: str

    def setup(self) -> None:
        """Refuse the run; a failure of the setup counts as an error."""
        pytest.fail(self.reason, pytrace=False)

    def runtest(self) -> None:
        """Do nothing; it is never called."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Judge each run with a selected case."""
    config = session.config
    if any(config.getoption(name, None) for name in _WITHOUT_TESTS) or session.testsfailed:
        return
    state = _select(session)
    for folder, judgement in state.folders.items():
        if judgement.items:
            try:
                judgement.report = _judge(config, folder, judgement)
            except CtsError as error:
                state.refused.append(error)
                _refuse(session, judgement.items, error)


def _select(session: pytest.Session) -> _Session:
    """Return the session's state, with the selected cases."""
    state = session.config.stash[_SESSION]
    for folder, judgement in state.folders.items():
        judgement.items = [
            item
            for item in session.items
            if isinstance(item, CaseItem) and item.path.parent == folder
        ]
    return state


_WITHOUT_TESTS = ("collectonly", "setuponly", "setupplan")
"""Options with which pytest runs no test."""


def _refuse(session: pytest.Session, items: list[CaseItem], error: CtsError) -> None:
    """Put one item in the place of all cases of a folder."""
    refused: RefusedItem = RefusedItem.from_parent(items[0].parent, name="judgement")  # type: ignore[arg-type]
    refused.reason = str(error)
    place = session.items.index(items[0])
    others = [item for item in session.items[place:] if item not in items]
    session.items[place:] = [refused, *others]


def _judge(config: pytest.Config, folder: Path, judgement: _Judgement) -> Report:
    """Lock and judge a collected run.

    The previous judgement is withdrawn as soon as the options are known to be valid.
    """
    from aclnn_cts import judging  # noqa: PLC0415 - see the module's docstring

    request = judging.JudgingRequest(
        config.getoption("--cts-standard"),
        config.getoption("--cts-jobs"),
        _waivers(config),
        enforce=config.getoption("--cts-enforce"),
        reuse=True,
        folders=_operator_folders(config),
    )
    with reading(folder):
        require_same(folder, judgement.run.nonce)
        if judgement.is_whole:
            judgement.kept = judging.other_judgement(folder, request)
        withdrawing = judgement.is_whole and not judgement.kept
        return judging.make_report(folder, request, withdrawing=withdrawing)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Write the report of runs that were judged as a whole, and choose the exit status."""
    state = session.config.stash[_SESSION]
    judged = any(judgement.report for judgement in state.folders.values())
    if exitstatus not in _ENDED or (exitstatus == _ENDED[-1] and judged):
        return  # Ctrl-C, or pytest's own trouble: nothing may look finished
    codes = [error.exit_code for error in state.refused]
    unjudged = not (session.config.getoption("collectonly") or state.refused)
    for judgement in _select(session).folders.values():
        if judgement.report is not None:
            codes.append(_code_of(judgement.report, judgement))
            if judgement.is_whole and not judgement.kept:
                codes += _write(judgement.report, judgement, state)
        elif judgement.items and unjudged:
            codes.append(ExitCode.NOT_TRUSTWORTHY)
    if codes:
        session.exitstatus = strongest([*codes, *_of_other_tests(session, exitstatus)])


_ENDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
"""Ends without a judgement. INTERRUPTED is also the result of a collection error."""


def _code_of(report: Report, judgement: _Judgement) -> ExitCode:
    from aclnn_cts.results.document import exit_code, totals  # noqa: PLC0415 - see the docstring

    document = report.document
    problems = (*document.problems, *document.stale) if judgement.is_whole else ()
    counts = totals(report.case(item.name).outcome for item in judgement.items)
    return exit_code(counts, problems, enforce=document.enforce)


def _write(report: Report, judgement: _Judgement, state: _Session) -> list[ExitCode]:
    """Write a report unless another run replaced its run while other tests were running."""
    from aclnn_cts.judging import write_report  # noqa: PLC0415 - see the module's docstring

    folder = report.run.path
    try:
        with reading(folder):
            require_same(folder, report.run.nonce)
            judgement.written = write_report(report)
    except CtsError as error:
        state.unwritten.append(error)
        return [error.exit_code]
    return []


def _of_other_tests(session: pytest.Session, exitstatus: int) -> list[ExitCode]:
    """Return the exit status of tests that are not cases."""
    others = any(not isinstance(item, CaseItem | RefusedItem) for item in session.items)
    return [ExitCode.BROKEN_PROMISE] if others and exitstatus != 0 else []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the summary of each run, and name the files it left."""
    config = terminalreporter.config
    state = config.stash[_SESSION]
    # pytest itself reports errors of collection and setup, except with --tb=no.
    refused = state.refused if config.getoption("tbstyle") == "no" else []
    for error in (*refused, *state.unwritten):
        terminalreporter.write_line(str(error), red=True)
    for folder, judgement in state.folders.items():
        if judgement.report is not None:
            _summarise(terminalreporter, folder, judgement.report)
            _name_files(terminalreporter, judgement)


def _summarise(terminal: pytest.TerminalReporter, folder: Path, report: Report) -> None:
    from rich.console import Console  # noqa: PLC0415 - see the module's docstring

    from aclnn_cts.report import summary  # noqa: PLC0415 - see the module's docstring

    screen = terminal._tw  # noqa: SLF001 - pytest offers no other way to ask
    console = Console(
        width=max(screen.fullwidth, summary.LEAST_WIDTH), no_color=not screen.hasmarkup
    )
    with console.capture() as captured:
        console.print(summary.summary(report.shown, str(folder)), crop=False)
    terminal.section(f"aclnn-cts: {folder}")
    terminal.write(captured.get())


def _name_files(terminal: pytest.TerminalReporter, judgement: _Judgement) -> None:
    """Name the files that this session wrote, or the reason why it wrote none."""
    for path in judgement.written:
        terminal.write_line(f"{path.name}: {path}")
    names = ", ".join(REPORT_FILES)
    if judgement.kept:
        terminal.write_line(
            f"not written, since what is there was judged {judgement.kept}: {names}; "
            "use `aclnn-cts judge`"
        )
    if not judgement.is_whole:
        terminal.write_line(
            f"the summary is of the whole run, the exit status of the {len(judgement.items)} of "
            f"{counted(len(judgement.run.cases), 'case')} that were selected"
        )
        terminal.write_line(f"not written: only some cases were selected: {names}")

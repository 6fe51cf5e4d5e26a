# SPDX-License-Identifier: Apache-2.0
"""Stores to ask: SQLite files, and databases of a real PostgreSQL server."""

from __future__ import annotations

import importlib.util
import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.report.comparing_runs import case

from aclnn_cts.report.cases import CaseEntry
from aclnn_cts.report.results import ResultsDocument, totals
from aclnn_cts.run.environment import Environment
from aclnn_cts.run.folder import Device
from aclnn_cts.store.database import Store, opened
from aclnn_cts.store.recording import record


def _binaries() -> Path | None:
    """Return the folder of PostgreSQL's server programs; Debian keeps them out of PATH."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return versions[-1].parent if versions else None


def _server_user() -> str | None:
    """Return as whom the server runs: it refuses root."""
    if os.getuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The folder of the socket of a PostgreSQL server that was started for the tests."""
    # What `tox -e services` promises to test must not be skipped there.
    give_up = pytest.fail if "ACLNN_CTS_SERVICES" in os.environ else pytest.skip
    binaries = _binaries()
    if binaries is None:
        give_up("PostgreSQL's server programs are missing; install Debian's postgresql")
    if importlib.util.find_spec("psycopg") is None:
        give_up("psycopg is missing; install aclnn-cts[postgresql]")
    user = _server_user()
    # Not below pytest's own folder: the server's user may not look into that.
    folder = Path(tempfile.mkdtemp(prefix="cts-pg-"))
    if user is not None:
        shutil.chown(folder, user)
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C"}

    def call(program: str, *options: str) -> None:
        done = subprocess.run(
            [str(binaries / program), "-D", str(folder / "data"), *options],
            user=user,
            group=None if user is None else pwd.getpwnam(user).pw_gid,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=program != "pg_ctl",
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{program}: {done.stdout}{done.stderr}"

    call("initdb", "-A", "trust", "-U", "cts", "-E", "UTF8", "--no-sync")
    options = f"-k {folder} -c listen_addresses='' -c fsync=off"
    log = str(folder / "log")
    call("pg_ctl", "start", "-w", "-s", "-l", log, "-o", options)
    yield str(folder)
    call("pg_ctl", "stop", "-m", "immediate", "-s")
    shutil.rmtree(folder)


@pytest.fixture
def database(postgresql: str) -> str:
    """The address of an empty database on that server."""
    import psycopg  # noqa: PLC0415 - it is an extra

    name = f"t{secrets.token_hex(6)}"
    with psycopg.connect(f"host={postgresql} user=cts dbname=postgres", autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}".encode())
    return f"postgresql://cts@/{name}?host={postgresql}"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a store that is not there yet, on each kind of database."""
    if request.param == "sqlite":
        return str(tmp_path / "store.sqlite")
    address: str = request.getfixturevalue("database")
    return address


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """An empty store on each kind of database."""
    with opened(url, create=True) as opening:
        yield opening


Make = Callable[..., ResultsDocument]


@pytest.fixture
def judged(results_document: Make) -> Make:
    """Return what makes a judged run from some cases, and a day and a place for it.

    With ``card=None``, each case says where it ran.
    """

    def make(
        *cases: CaseEntry,
        day: int = 1,
        host: str = "a",
        card: int | None = 0,
        cann: str = "8.0",
        **facts: Any,
    ) -> ResultsDocument:
        if card is not None:
            cases = tuple(each.model_copy(update={"host": host, "card": card}) for each in cases)
        return results_document(
            **{
                "device": Device("hardware", "atlas-a2", "Ascend910B3", cann),
                "environment": Environment(host=host),
                "started": f"2026-{1 + day // 28:02}-{1 + day % 28:02}T03:00:00+00:00",
                "cases": cases,
                "totals": totals(case.outcome for case in cases),
                "nonce": secrets.token_hex(16),
                **facts,
            }
        )

    return make


@pytest.fixture
def nights(store: Store, judged: Make) -> Callable[..., list[int]]:
    """Return what records one run for each night: of each case, a letter for each night."""
    verdicts = {".": "pass", "F": "fail", "C": "crash", "?": "missing", "~": "flaky"}

    def fill(outcomes: dict[str, str], **facts: list[Any]) -> list[int]:
        numbers = []
        for night in range(len(next(iter(outcomes.values())))):
            cases = [
                case(name, verdicts[letters[night]])
                for name, letters in outcomes.items()
                if letters[night] != " "
            ]
            own = {name: values[night] for name, values in facts.items()}
            document = judged(*cases, day=night, **own)
            with store.writing() as connection:
                numbers.append(add(connection, document))
        return numbers

    return fill


def add(connection: Any, document: ResultsDocument, label: str = "", report: str = "") -> int:
    """Record a run and return its number."""
    recorded = "2026-11-23T00:00:00+00:00"
    return record(connection, document, recorded=recorded, label=label, report=report).number

# SPDX-License-Identifier: Apache-2.0
"""The cache: what pruning removes, and what it never removes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aclnn_cts import cli
from aclnn_cts.cache import SHELVES, entries, parse_size, prune, take
from aclnn_cts.cli import host
from aclnn_cts.cli.defaults import cache_limit
from aclnn_cts.errors import ExitCode, WrongInputError

_NAMES = {
    "data": "ab/" + "0" * 22 + "-" + "0" * 64 + ".npy",
    "covering": "1" * 64 + ".json",
    "faulty": "4" * 24 + "-" + "5" * 24,
    "bundles": "8" * 64,
}

_TAKE = """
import sys
from pathlib import Path
from aclnn_cts.cache import take
print(take(Path(sys.argv[1]), sys.argv[2]), flush=True)
sys.stdin.read()
"""


def fill(cache: Path, shelf: str, used: float, size: int = 1000, name: str = "") -> Path:
    """Put an entry into a cache: a file, or a folder with one."""
    path = cache / shelf / (name or _NAMES.get(shelf, "6" * 24))
    file = path if path.suffix else path / "part"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(bytes(size))
    os.utime(path, (used, used))
    return path


@pytest.mark.parametrize("shelf", SHELVES)
def test_old_entries_go_and_used_ones_stay(tmp_path: Path, shelf: str) -> None:
    """An entry goes by its last use, on every shelf."""
    path = fill(tmp_path, shelf, used=100)
    assert [entry.size for entry in prune(tmp_path, float("inf"), oldest=100)] == []
    assert [entry.path for entry in prune(tmp_path, float("inf"), oldest=101)] == [path]
    assert not path.exists()
    assert list(entries(tmp_path)) == []


def test_the_least_recently_used_go_until_the_rest_fits(tmp_path: Path) -> None:
    """The limit counts all shelves together."""
    oldest = fill(tmp_path, "trees", used=100, size=500)
    second = fill(tmp_path, "programs", used=200, size=500)
    fill(tmp_path, "covering", used=300, size=500)
    assert [entry.path for entry in prune(tmp_path, 500)] == [oldest, second]
    assert [entry.shelf for entry in entries(tmp_path)] == ["covering"]


@pytest.mark.parametrize("shelf", ["data", "simulator"])
def test_what_a_live_process_took_stays(tmp_path: Path, shelf: str) -> None:
    """Entries that a process has taken stay until it ends, even if it is killed."""
    path = fill(tmp_path, shelf, used=100)
    other = fill(tmp_path, "trees", used=100)
    name = path.relative_to(tmp_path / shelf).as_posix()
    command = [sys.executable, "-c", _TAKE, str(tmp_path / shelf), name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"True\n"
        assert [entry.path for entry in prune(tmp_path, 0)] == [other]
        assert [entry.in_use for entry in entries(tmp_path)] == [True]
        process.kill()
    assert [entry.path for entry in prune(tmp_path, 0)] == [path]


def test_an_older_entry_goes_while_another_process_uses_the_shelf(tmp_path: Path) -> None:
    """A process that runs for days holds what it took, not the whole shelf."""
    old, mine = (fill(tmp_path, "trees", used=100, name=str(digit) * 24) for digit in (7, 8))
    assert take(tmp_path / "trees", mine.name)
    assert [entry.path for entry in prune(tmp_path, 0)] == [old]
    assert mine.is_dir()


def test_what_is_not_the_caches_own_is_never_removed(tmp_path: Path) -> None:
    """A user may name a folder as cache that holds other files."""
    names = ("data/ab/letter.npy", "data/notes.json", "trees/src/a.c", "photos/1.jpg")
    files = [tmp_path / name for name in names]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
        os.utime(file, (100, 100))
    assert prune(tmp_path, 0) == []
    assert all(file.is_file() for file in files)


@pytest.mark.parametrize(
    ("shelf", "name"),
    [
        ("trees", "9" * 24 + ".removed." + "a" * 16),
        ("faulty", "4" * 24 + "-" + "5" * 24 + ".partial"),
        ("data", "ab/." + "0" * 22 + "." + "a" * 16),
        ("covering", "." + "0" * 64 + ".plan." + "a" * 16),
    ],
)
def test_what_killed_processes_left_goes_first(tmp_path: Path, shelf: str, name: str) -> None:
    """Unfinished entries are of no use, so neither limit nor age keeps them."""
    path = fill(tmp_path, shelf, used=100, name=name)
    assert [entry.path for entry in prune(tmp_path, float("inf"))] == [path]


def test_a_missing_entry_is_not_taken(tmp_path: Path) -> None:
    """Asking for an entry does not make its shelf."""
    assert not take(tmp_path / "data", _NAMES["data"])
    assert list(tmp_path.iterdir()) == []


def test_sizes() -> None:
    """Sizes have the units of disks; anything else is refused."""
    assert parse_size("500M", "x") == 5e8
    assert parse_size("1.5GB", "x") == 1.5e9
    assert parse_size("none", "x") == float("inf")
    for wrong in ("", "-1", "2 XB", "G"):
        with pytest.raises(WrongInputError, match="x: "):
            parse_size(wrong, "x")


def test_the_command_says_what_it_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its JSON has what is left and what went, by shelf."""
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path))
    fill(tmp_path, "programs", used=100, size=700)
    shown = CliRunner().invoke(cli.app, ["cache", "--json"])
    assert json.loads(shown.stdout)["shelves"][0]["bytes"] == 700
    done = CliRunner().invoke(cli.app, ["cache", "--prune", "--limit", "none", "--json"])
    told = json.loads(done.stdout)
    assert (told["shelves"], told["removed"][0]["entries"], told["limit"]) == ([], 1, None)


def test_a_wrong_limit_ends_with_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the command line and in the environment."""
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path))
    refused = CliRunner().invoke(cli.app, ["cache", "--limit", "much"])
    assert refused.exit_code == ExitCode.WRONG_INPUT
    monkeypatch.setenv("ACLNN_CTS_CACHE_LIMIT", "much")
    assert CliRunner().invoke(cli.app, ["cache"]).exit_code == ExitCode.WRONG_INPUT


def test_runs_prune_once_in_ten_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that follows another one within that time leaves the cache as it is."""
    monkeypatch.setenv("ACLNN_CTS_CACHE_LIMIT", "0")
    for seconds, stays in ((0.0, False), (0.0, True), (601.0, False)):
        stamp = tmp_path / ".pruned"
        if seconds:
            os.utime(stamp, (stamp.stat().st_mtime - seconds,) * 2)
        path = fill(tmp_path, "data", used=100)
        host.prune_cache(tmp_path)
        assert path.exists() is stays


def test_the_limit_is_a_default_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``aclnn-cts.toml`` holds it, the environment precedes, and 4 GB is the default."""
    monkeypatch.setenv("ACLNN_CTS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("ACLNN_CTS_CACHE_LIMIT", raising=False)
    monkeypatch.chdir(tmp_path)
    assert cache_limit() == 4e9
    (tmp_path / "aclnn-cts.toml").write_text('cache-limit = "500M"\n')
    shown = CliRunner().invoke(cli.app, ["cache", "--json"])
    assert json.loads(shown.stdout)["limit"] == 5e8
    monkeypatch.setenv("ACLNN_CTS_CACHE_LIMIT", "none")
    assert cache_limit() == float("inf")
    (tmp_path / "aclnn-cts.toml").write_text('\ncache-limit = "much"\n')
    refused = CliRunner().invoke(cli.app, ["cache"])
    assert refused.exit_code == ExitCode.WRONG_INPUT
    assert "aclnn-cts.toml:2: cache-limit must be a size" in refused.stderr


_WRITE = """
import sys
from pathlib import Path
from aclnn_cts.cache import prune, register, take
from aclnn_cts.files import write_bytes
cache, number = Path(sys.argv[1]), int(sys.argv[2])
register(cache / "data")
for round in range(60):
    name = f"{number}{round % 10}/" + "0" * 22 + "-" + "0" * 64 + ".npy"
    write_bytes(cache / "data" / name, bytes(1000))
    assert take(cache / "data", name)
    prune(cache, 2000)
    assert (cache / "data" / name).stat().st_size == 1000
    if round == 30 and number == 0:
        print(flush=True)
        sys.stdin.read()
"""


def test_several_writers_prune_at_once(tmp_path: Path) -> None:
    """None loses what it took, and one that is killed leaves a cache that can be pruned."""
    commands = ([sys.executable, "-c", _WRITE, str(tmp_path), str(n)] for n in range(3))
    first, *others = (
        subprocess.Popen(each, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for each in commands
    )
    with first:
        assert first.stdout is not None
        first.stdout.readline()
        first.kill()
    for other in others:
        with other:
            assert other.wait() == 0
    prune(tmp_path, 2000)
    assert sum(entry.size for entry in entries(tmp_path)) <= 2000

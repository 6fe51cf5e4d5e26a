# SPDX-License-Identifier: Apache-2.0
"""The pages say what is true: commands exist, links lead somewhere, the walk-through works."""

from __future__ import annotations

import configparser
import itertools
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from tests.own_operator import OPERATOR, walk_files

from aclnn_cts.cli import app
from aclnn_cts.results.document import ResultsFile

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").glob("*.md")),
)

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def _shell_lines(page: Path) -> Iterator[str]:
    for language, block in _FENCE.findall(page.read_text(encoding="utf-8")):
        if language == "sh":
            yield from block.replace("\\\n", " ").splitlines()


def _calls(page: Path, program: str) -> Iterator[list[str]]:
    """Yield the arguments of each call of a program in the page's shell blocks."""
    for line in _shell_lines(page):
        for part in line.split("&&"):
            words = [word for word in shlex.split(part) if not re.match(r"[A-Z_]+=", word)]
            if words[:1] == [program]:
                yield words[1:]


def _commands() -> dict[str, Any]:
    """Return each command by its name, such as ``store add``."""

    def named(group: object, before: str) -> Iterator[tuple[str, Any]]:
        for name, command in vars(group)["commands"].items():
            if "commands" in vars(command):
                yield from named(command, f"{before}{name} ")
            else:
                yield before + name, command

    return dict(named(typer.main.get_command(app), ""))


def _options() -> dict[str, set[str]]:
    """Return the options of each command, by the command's name."""
    return {
        name: {option for parameter in command.params for option in parameter.opts} | {"--help"}
        for name, command in _commands().items()
    }


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_commands_exist(page: Path) -> None:
    """Each `aclnn-cts` call in a page's shell block has a known command and known options."""
    options = _options()
    assert options
    for first, *rest in _calls(page, "aclnn-cts"):
        of_group = " ".join((first, *rest[:1]))
        command = of_group if of_group in options else first
        assert command in options, f"{_name(page)}: no command {command}"
        # behind -- are another command's
        words = itertools.takewhile("--".__ne__, rest)
        unknown = {word for word in words if word.startswith("-")} - options[command]
        assert not unknown, f"{_name(page)}: {command} has no {unknown}"


def test_the_guides_call_each_command() -> None:
    """No command is without an example; `-h` explains each of its options and arguments."""
    called = {
        " ".join(words[:size])
        for page in PAGES
        for words in _calls(page, "aclnn-cts")
        for size in (1, 2)
    }
    for name, command in _commands().items():
        assert name in called, name
        assert not [parameter.name for parameter in command.params if not vars(parameter)["help"]]


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_pytest_options_exist(page: Path, pytestconfig: pytest.Config) -> None:
    """Each `--cts-…` option that a page mentions is one of our pytest plugin."""
    for option in re.findall(r"--cts-[a-z-]+", page.read_text(encoding="utf-8")):
        pytestconfig.getoption(option)  # raises ValueError if there is none


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_tox_environments_exist(page: Path) -> None:
    """Each `tox -e NAME` that a page mentions is an environment of tox.ini."""
    settings = configparser.ConfigParser(interpolation=None)
    settings.read(ROOT / "tox.ini")
    known = set()
    for section in settings.sections():
        name, *endings = re.split(r"[{,}]", section.removeprefix("testenv:"))
        known |= {name + ending for ending in endings or [""]}
    named = set(re.findall(r"tox -e ([\w-]+)", page.read_text(encoding="utf-8")))
    assert named <= known


def test_the_pages_have_what_is_looked_for() -> None:
    """A pattern that finds nothing on any page would hold nothing."""
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    for pattern in (r"--cts-[a-z-]+", r"tox -e ([\w-]+)", _LINK, _HEADING, _FENCE):
        assert any(re.search(pattern, text) for text in texts), pattern


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_lead_somewhere(page: Path) -> None:
    """Each relative link names a file that exists and, after #, one of its headings."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    for link in _LINK.findall(text):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_relative_to(ROOT), f"{_name(page)}: {link} leaves the project"
        assert target.exists(), f"{_name(page)}: {link} leads nowhere"
        if anchor:
            headings = _HEADING.findall(target.read_text(encoding="utf-8"))
            assert anchor in map(_anchor, headings), f"{_name(page)}: no heading {link}"


def test_the_example_of_results_is_one() -> None:
    """The documented results.json is valid, and leaves out no key that the suite writes."""
    page = (ROOT / "docs" / "results-reference.md").read_text(encoding="utf-8")
    (example,) = (block for language, block in _FENCE.findall(page) if language == "json")
    document = ResultsFile.model_validate_json(example)
    assert json.loads(document.model_dump_json(by_alias=True)) == json.loads(example)


def test_walk_has_one_file() -> None:
    """Adding an operator takes a spec, and nothing else."""
    assert set(walk_files()) == {f"specs/{OPERATOR}.yaml"}

# SPDX-License-Identifier: Apache-2.0
"""The command line: parses, calls, prints; everything else is elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from aclnn_cts import __version__
from aclnn_cts.cli import (
    authoring,
    documents,
    export,
    faults,
    host,
    judge,
    promises,
    qualify,
    queries,
    record,
    results,
    run,
    store,
)
from aclnn_cts.cli.defaults import read_defaults
from aclnn_cts.cli.options import report_errors

_EXAMPLES = {
    "list": (
        "list --operator aclnnLogitGrad",
        "list --case '*.base.*' --tier standard",
        "list --atk cases.json -o calls.yaml",
    ),
    "explain": (
        "explain PreluBackward.base.float32.4x9.288ac026f9",
        "explain aclnnLogitGrad/eps-one",
    ),
    "coverage": ("coverage --operator aclnnLogitGrad", "coverage --against earlier"),
    "documents": (
        "documents --family loss",
        "documents results/atlas-a2-smoke --format html -o documents",
    ),
    "faults": ("faults stride", "faults logit-upper-bound-excluded"),
    "generate": ("generate", "generate --check"),
    "record": ("record -o calls.yaml -- python3 serve.py",),
    "run": (
        "run --simulator",
        "run --tier standard --devices 0-7",
        "run --case 'PreluBackward.null-pointer.*'",
        "run --rerun-failed results/atlas-a2-smoke",
        "run --resume --results results/atlas-a2-smoke",
        "run --ray head:6379 --product atlas-a2 --product ascend-950",
        "run --shard 3/16",
    ),
    "judge": (
        "judge results/atlas-a2-smoke",
        "judge outputs.tar.gz --kit kit.tar.gz",
        "judge results/atlas-a2-smoke-shard*of3 -o results/merged",
    ),
    "pack": ("pack -o kit.tar.gz --tier standard",),
    "compare": (
        "compare results/last-week results/atlas-a2-smoke",
        "compare results/atlas-a2-smoke --against last-green",
    ),
    "report": ("report results/atlas-a2-smoke",),
    "certificate": (
        "certificate results/atlas-a2-full results/ascend-950-full "
        "--qualification results/qualification-full.json",
    ),
    "qualify": ("qualify --operator aclnnLogitGrad",),
    "doctor": ("doctor", "doctor --cann /usr/local/Ascend/ascend-toolkit/latest"),
    "store add": ("store add results/atlas-a2-smoke --label nightly",),
    "store show": ("store show --product atlas-a2 --since 2026-11-01", "store show 3f2a9c1e"),
    "store withdraw": ("store withdraw 3f2a9c1e --reason 'the card was overheated'",),
    "store prune": ("store prune --before 2026-01-01 --dry-run",),
    "store export": ("store export 3f2a9c1e -o run.jsonl",),
    "dashboard": ("dashboard -o dashboard", "dashboard -o dashboard --since 2026-06-01"),
    "waivers": ("waivers results/atlas-a2-smoke -o waivers.yaml", "waivers --run 3f2a9c1e"),
    "history": (
        "history --case 'LogitGrad.thresholds.*'",
        "history --operator aclnnLogitGrad --clause eps-outside",
        "history --flaky --since 2026-11-01",
        "history --trends --changed",
    ),
    "cache": ("cache", "cache --prune --older-than 7 --limit 500M"),
    "trace": ("trace --pages docs --operator aclnnLogitGrad",),
    "transcribe": (
        "transcribe aclnnMseLoss.md -o specs/aclnnMseLoss.yaml",
        "transcribe aclnnAddCustom.md --folder operators",
    ),
    "repro": ("repro PreluBackward.base.float32.4x9.288ac026f9 -o reproducer --shrink",),
}

_OTHERWISE = ("generate", "repro", "transcribe")
"""Commands with other options for product, tier and edition."""


class _Command(TyperCommand):
    """A command whose help names the values of its options."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for option in self.params:
            if isinstance(option, TyperOption) and option.metavar is None and not option.is_flag:
                option.metavar = option.opts[0].lstrip("-").upper()


class _Sections(TyperGroup):
    """The command group, whose help lists commands in sections."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a heading for each section, and a line for each of its commands."""
        del ctx
        for title, section in _SECTIONS.items():
            names = dict.fromkeys(name.partition(" ")[0] for name in section)
            with formatter.section(title):
                formatter.write_dl(
                    [(name, self.commands[name].get_short_help_str(limit=64)) for name in names]
                )


def _epilog(command: str) -> str | None:
    examples = _EXAMPLES.get(command, ())
    lines = ("\b", "Examples:", *(f"  aclnn-cts {example}" for example in examples))
    return "\n".join(lines) if examples else None


app = typer.Typer(
    cls=_Sections,
    help="Conformance tests for CANN's aclnn operators, from specs of their documents' promises.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(*, is_set: bool) -> None:
    if is_set:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
@report_errors
def main(
    context: typer.Context,
    show_version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Conformance tests for CANN's aclnn operators, from specs of their documents' promises."""
    del show_version
    defaults = read_defaults(Path.cwd())
    group = context.command
    if defaults and isinstance(group, TyperGroup):
        context.default_map = _default_map(group, defaults)


def _default_map(group: TyperGroup, defaults: Mapping[str, Any], first: str = "") -> dict[str, Any]:
    """Return the defaults of the commands of a group, and of the groups in it."""
    return {
        name: _default_map(command, defaults, name)
        if isinstance(command, TyperGroup)
        else dict(_defaults_of(first or name, command, defaults))
        for name, command in group.commands.items()
    }


def _defaults_of(name: str, command: Any, defaults: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the defaults of the options that a command has."""
    if name in _OTHERWISE:
        defaults = {key: value for key, value in defaults.items() if key == "folders"}
    run_options = _OF_A_RUN if name in _READERS_OF_RUNS else ()
    for option in command.params:
        if option.name in defaults and option.name not in run_options:
            value = defaults[option.name]
            several = option.multiple and not isinstance(value, list)
            yield option.name, [value] if several else value


_SECTIONS: Mapping[str, Mapping[str, Callable[..., None]]] = {
    "Test a release": {
        "doctor": host.doctor,
        "record": record.record,
        "run": run.run,
        "judge": judge.judge,
        "report": results.report,
        "certificate": results.certificate,
        "compare": results.compare,
        "pack": export.pack,
        "repro": export.repro,
        "waivers": results.waivers,
    },
    "Inspect cases and promises": {
        "list": promises.list_cases,
        "explain": promises.explain,
        "coverage": promises.coverage,
        "documents": documents.documents,
    },
    "Query many runs": {
        "store add": store.add,
        "store show": store.show,
        "store withdraw": store.withdraw,
        "store prune": store.prune,
        "store export": store.export,
        "history": queries.history,
        "dashboard": queries.dashboard,
    },
    "Add an operator": {
        "transcribe": authoring.transcribe,
        "trace": authoring.trace,
        "generate": authoring.generate,
        "faults": faults.faults,
        "qualify": qualify.qualify,
    },
    "Maintain the suite": {"cache": host.cache},
}

_OF_A_RUN = {"product", "tier", "edition", "standard", "folders"}
_READERS_OF_RUNS = {
    *("certificate", "compare", "judge", "report", "waivers"),
    *(name.partition(" ")[0] for name in _SECTIONS["Query many runs"]),
}
"""Commands that take these values from the run, unless the command line gives them."""

_COMMANDS = {name: function for section in _SECTIONS.values() for name, function in section.items()}

_store = typer.Typer(
    help="Keep judged runs in a results store.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
)
app.add_typer(_store, name="store")
for _name, _function in _COMMANDS.items():
    _group, _, _word = _name.rpartition(" ")
    (_store if _group else app).command(_word, cls=_Command, epilog=_epilog(_name))(
        report_errors(_function)
    )

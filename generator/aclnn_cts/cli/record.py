# SPDX-License-Identifier: Apache-2.0
"""The command that records the calls of a program."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli import options
from aclnn_cts.errors import NotTrustworthyError, WrongInputError, counted
from aclnn_cts.files import write_text
from aclnn_cts.plan.call_list import ListedCall, call_list_text
from aclnn_cts.run.devices import DEFAULT_PRODUCT, choose_toolkit
from aclnn_cts.run.recording import (
    CallsOfOperator,
    Recording,
    list_calls,
    read_recording,
    recorder_environment,
    run_command,
)
from aclnn_cts.run.run_config import RunConfig

_REASONS_SHOWN = 3


def record(
    command: Annotated[
        list[str], typer.Argument(metavar="-- COMMAND...", help="The command to run.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The call list to write.")],
    product: options.Product = DEFAULT_PRODUCT,
    cann: Annotated[
        str, typer.Option("--cann", help="The toolkit that the command uses [as of `run`].")
    ] = "",
    simulator: Annotated[
        bool, typer.Option("--simulator", help="Give the command the built-in simulated device.")
    ] = False,
    most: Annotated[
        int, typer.Option("--most", min=1, help="Distinct calls to keep of each operator.")
    ] = 1000,
) -> None:
    """Record how a command calls operators, as a list of calls for `run --calls`."""
    if not output.parent.is_dir():
        raise WrongInputError(f"{output.parent}: there is no such folder")
    suite, specs = options.load()
    at = specs.product(product)
    with tempfile.TemporaryDirectory(prefix="aclnn-cts-record-") as folder:
        choice = choose_toolkit(RunConfig(cann=cann, simulator=simulator), os.environ, options.say)
        toolkit = choice.toolkit if choice is not None else None
        variables = recorder_environment(suite, specs, at, toolkit, Path(folder), most)
        status = run_command(command, variables)
        recording = read_recording(Path(folder))
    if not recording.calls:
        raise NotTrustworthyError(
            f"{command[0]} ended with {status}, and no call of an operator of the suite is recorded"
        )
    operators = list(list_calls(recording, specs, at))
    listed: list[ListedCall] = [call for operator in operators for call in operator.listed]
    unlisted = {each.operator: dict(each.left_out) for each in operators if each.left_out}
    if lost := dict(_lost(recording)):
        unlisted[""] = lost
    if listed:
        write_text(output, call_list_text(listed, unlisted))
    _show(recording, operators)
    if not listed:
        raise NotTrustworthyError(f"{output}: not written, because no call became a case")
    typer.echo(f"{output}: {counted(len(listed), 'call')}; run them with:")
    typer.echo(f"  aclnn-cts run --product {product} --calls {output}")
    raise typer.Exit(status if 0 <= status < 128 else 1)


def _show(recording: Recording, operators: list[CallsOfOperator]) -> None:
    """Print what was recorded, by operator, and what was not."""
    for operator in operators:
        kept = sum(call.count for call in operator.listed)
        calls = kept + sum(operator.left_out.values())
        typer.echo(
            f"{operator.operator}: {counted(calls, 'call')}, of which {kept:,} in "
            f"{counted(len(operator.listed), 'case')}"
        )
        if operator.views:
            typer.echo(f"  {operator.views:,} with outputs that are views, listed as contiguous")
        if operator.apart:
            typer.echo(f"  {operator.apart:,} with tensors that share memory, listed apart")
        reasons = sorted(operator.left_out.items(), key=lambda item: -item[1])
        for reason, count in reasons[:_REASONS_SHOWN]:
            typer.echo(f"  {count:,} not listed: {reason}")
        if len(reasons) > _REASONS_SHOWN:
            typer.echo(f"  and {counted(len(reasons) - _REASONS_SHOWN, 'reason')} more")
    for why, count in _lost(recording):
        typer.echo(f"{counted(count, 'call')} not recorded, {why}")


def _lost(recording: Recording) -> Iterator[tuple[str, int]]:
    """Yield the reasons why calls are not recorded, with their numbers."""
    if recording.beyond_limit:
        yield "beyond --most distinct calls of their operators", recording.beyond_limit
    if recording.failed:
        yield "for lack of memory or of space on the disk", recording.failed

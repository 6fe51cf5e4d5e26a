# SPDX-License-Identifier: Apache-2.0
"""What the commands share: options, the way they end, the suite that they work on."""

from __future__ import annotations

import errno
import functools
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, ParamSpec

import typer

from aclnn_cts.errors import CtsError, ExitCode, NotTrustworthyError, WrongInputError, unknown_name
from aclnn_cts.judge.standards import STANDARDS, Standard
from aclnn_cts.spec.edition_models import CURRENT
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite, find_suite

Operators = Annotated[
    list[str] | None, typer.Option("--operator", help="Only this operator; may be repeated.")
]
Product = Annotated[str, typer.Option("--product", help="The product whose promises are tested.")]
DeviceNumbers = Annotated[
    str | None,
    typer.Option("--devices", help="Numbers of the devices to use, such as 0,1,4-7."),
]
CannFolder = Annotated[
    Path | None, typer.Option("--cann", help="Folder of a CANN toolkit [ASCEND_HOME_PATH].")
]
TierName = Annotated[str, typer.Option("--tier", help="smoke, standard or full.")]
StandardName = Annotated[
    str, typer.Option("--standard", help="What decides: strict, ecosystem or statistical.")
]
EditionName = Annotated[
    str, typer.Option("--edition", help="The edition of the documents whose promises count.")
]
WaiverFile = Annotated[
    Path | None, typer.Option("--waivers", help="Failures that are accepted for a while.")
]
Enforce = Annotated[
    bool,
    typer.Option("--enforce", help="End with status 1 if a requirement is not enforced."),
]
Timings = Annotated[
    int, typer.Option("--timings", min=0, max=10000, help="Launches of each call, to time it.")
]
Jobs = Annotated[int, typer.Option("--jobs", min=1, help="Programs and judges at a time.")]

DEFAULT_TIER = "smoke"
CORES = os.cpu_count() or 1


def standard_of(name: str) -> Standard:
    """Return the standard of that name; raises WrongInputError if there is none."""
    for standard in STANDARDS:
        if standard == name:
            return standard
    raise unknown_name("standard", name, STANDARDS)


def refuse_contradiction(
    cann: Path | None, simulator: bool, fault: str | None, variant: str | None = None
) -> None:
    """Raise WrongInputError if a toolkit is named beside what is for the simulated device alone."""
    if simulator and cann is not None:
        raise WrongInputError("--simulator and --cann exclude each other; give one of them")
    for name, value in (("--fault", fault), ("--variant", variant)):
        if value is not None and cann is not None:
            raise WrongInputError(f"{name} is for the simulated device; leave out --cann or {name}")


def say(sentence: str) -> None:
    """Write a sentence on standard error: standard output holds what was asked for."""
    typer.echo(sentence, err=True)


def _require_output() -> None:
    """Raise NotTrustworthyError if the process was started without a standard output."""
    # Python leaves None there (`>&-`), whatever the stubs say.
    if getattr(sys, "stdout", None) is None:
        raise NotTrustworthyError(
            "standard output is closed, so nothing can be shown; send it to a file or /dev/null"
        )


def _discard_output() -> None:
    """Drop what could not be written: Python would complain about it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _sentence(error: OSError) -> str:
    """Say what the system refused, where, and what to do."""
    reason = error.strerror or str(error)
    try:
        # What could not be written may still be there; Python would try again at the end.
        sys.stdout.flush()
    except OSError:
        _discard_output()
    if error.errno == errno.ENOSPC and not error.filename:
        # Our own files are written by aclnn_cts.files, which names them.
        return f"standard output cannot be written: {reason}; send it to where there is room"
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}{reason}; see that the system allows it, and run the command again"


Arguments = ParamSpec("Arguments")


def reported(command: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """Make a command end with a sentence and the right exit status, whatever goes wrong."""

    @functools.wraps(command)
    def reporting(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        try:
            _require_output()
            try:
                command(*args, **kwargs)
            finally:
                sys.stdout.flush()
        except CtsError as error:
            typer.echo(f"error: {error}", err=True)
            raise typer.Exit(int(error.exit_code)) from None
        except KeyboardInterrupt as interrupt:
            typer.echo("; ".join(("interrupted", *interrupt.args)), err=True)
            raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY)) from None
        except BrokenPipeError:
            # Whoever read our output has left.
            _discard_output()
            raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY)) from None
        except MemoryError:
            typer.echo("error: there is too little memory; try --jobs 1, or a lower tier", err=True)
            raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY)) from None
        except typer.Exit:
            raise
        except OSError as error:
            typer.echo(f"error: {_sentence(error)}", err=True)
            raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY)) from None
        except Exception:  # noqa: BLE001 - a defect of ours must not look like one of the device
            traceback.print_exc()
            typer.echo("error: this is a defect of aclnn-cts; please report it", err=True)
            raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY)) from None

    return reporting


def load(edition: str = CURRENT) -> tuple[Suite, SpecSet]:
    """Return the suite that this command works on, and its specs in an edition."""
    suite = find_suite()
    return suite, load_specs(suite, edition)

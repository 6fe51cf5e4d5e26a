# SPDX-License-Identifier: Apache-2.0
"""What the commands share: options, the way they end, the suite that they work on."""

from __future__ import annotations

import functools
import os
import sys
import traceback
from collections.abc import Callable
from typing import Annotated, ParamSpec

import typer

from aclnn_cts.errors import CtsError, ExitCode
from aclnn_cts.spec.edition_models import CURRENT
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite, find_suite

Operators = Annotated[
    list[str] | None, typer.Option("--operator", help="Only this operator; may be repeated.")
]
Product = Annotated[str, typer.Option("--product", help="The product whose promises are tested.")]
TierName = Annotated[str, typer.Option("--tier", help="smoke, standard or full.")]
StandardName = Annotated[
    str, typer.Option("--standard", help="The gate: strict, ecosystem or statistical.")
]
EditionName = Annotated[
    str, typer.Option("--edition", help="The edition of the documents whose promises count.")
]
Jobs = Annotated[int, typer.Option("--jobs", min=1, help="Programs and judges at a time.")]

DEFAULT_PRODUCT = "atlas-a2"
DEFAULT_TIER = "smoke"
CORES = os.cpu_count() or 1

Arguments = ParamSpec("Arguments")


def reported(command: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """Make a command end with a sentence and the right exit status, whatever goes wrong."""

    @functools.wraps(command)
    def reporting(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except CtsError as error:
            typer.echo(f"error: {error}", err=True)
            raise typer.Exit(int(error.exit_code)) from None
        except KeyboardInterrupt:
            typer.echo("interrupted; results of this run are incomplete", err=True)
            raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY)) from None
        except BrokenPipeError:
            # Whoever read our output has left; keep Python from complaining about it at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY)) from None
        except MemoryError:
            typer.echo("error: there is too little memory; try --jobs 1, or a lower tier", err=True)
            raise typer.Exit(int(ExitCode.NOT_TRUSTWORTHY)) from None
        except typer.Exit:
            raise
        except OSError as error:
            typer.echo(f"error: {error}", err=True)
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

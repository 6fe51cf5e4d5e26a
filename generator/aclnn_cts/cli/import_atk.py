# SPDX-License-Identifier: Apache-2.0
"""The command that makes a call list of a case list of ATK."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli.options import EditionName, Product, SpecFolders, load, reported, say
from aclnn_cts.errors import WrongInputError
from aclnn_cts.files import write_text
from aclnn_cts.plan.atk import imported, read_atk
from aclnn_cts.plan.call_list import ListedCall, call_list_text, listed_case
from aclnn_cts.run.devices import DEFAULT_PRODUCT
from aclnn_cts.spec.edition_models import CURRENT


@reported
def import_atk(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A case list of ATK, JSON.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The call list to write, YAML.")],
    rename: Annotated[
        list[str] | None,
        typer.Option(
            "--rename",
            metavar="NAME=PARAMETER",
            help="Map a name of the list; may be repeated.",
        ),
    ] = None,
    product: Product = DEFAULT_PRODUCT,
    edition: EditionName = CURRENT,
    folders: SpecFolders = None,
) -> None:
    """Convert a case list of ATK into a call list, with a reason for each case left out."""
    atk_cases = read_atk(source)
    _, specs = load(edition, folders=folders)
    at = specs.product(product)
    names = dict(_pair(text) for text in rename or ())
    calls: dict[str, ListedCall] = {}
    by_order: dict[str, Mapping[str, str]] = {}
    for atk_case in atk_cases:
        found = imported(specs, atk_case, names)
        told = f"no case: {found.reason}"
        if found.call is not None:
            try:
                case = listed_case(specs, at, found.call)
            except WrongInputError as error:
                told = f"no case: {error}"
            else:
                by_order.setdefault(case.operator, found.by_order)
                same = calls.setdefault(case.digest, found.call)
                told = case.id if same is found.call else f"no case: the same call as {same.name}"
        typer.echo(f"{found.id}: {told}")
    if not calls:
        raise WrongInputError(f"{source}: no case of it can be imported for {product}")
    for operator, taken in by_order.items():
        if taken:
            told = ", ".join(f"{theirs} is {ours}" for ours, theirs in taken.items())
            say(f"{operator}: {told}, by order; change this with --rename NAME=PARAMETER")
    write_text(output, call_list_text(list(calls.values())))
    say(f"{output}: {len(calls)} of {len(atk_cases)} cases")
    say(f"run them with: aclnn-cts run --product {product} --calls {output}")


def _pair(text: str) -> tuple[str, str]:
    name, sign, parameter = text.partition("=")
    if not (name and sign and parameter):
        raise WrongInputError(f"--rename {text}: write NAME=PARAMETER, such as self=x")
    return name, parameter

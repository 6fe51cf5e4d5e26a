# SPDX-License-Identifier: Apache-2.0
"""``aclnn-cts new``: begin a folder for an operator outside the checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli.options import reported
from aclnn_cts.errors import WrongInputError
from aclnn_cts.files import write_text
from aclnn_cts.spec.loading import load_products
from aclnn_cts.suite import find_suite


@reported
def new(
    operator: Annotated[str, typer.Argument(metavar="OPERATOR", help="Its name, aclnnX.")],
    page: Annotated[Path, typer.Option("--from", metavar="PAGE.md", help="The operator's page.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="DIR", help="The folder [OPERATOR].")
    ] = None,
) -> None:
    """Start an operator of your own in a folder: a draft of its spec, and skeletons."""
    # Other commands need not pay for the libraries that read pages.
    from aclnn_cts.emit.operator_draft import drafted  # noqa: PLC0415
    from aclnn_cts.transcribe.reader import read_page  # noqa: PLC0415

    folder, suite = output or Path(operator), find_suite()
    if (known := suite.specs / f"{operator}.yaml").exists():
        raise WrongInputError(f"{known}: the suite has {operator} already")
    files = drafted(read_page(page, load_products(suite)), operator, page, folder)
    spec = f"{operator}.yaml"
    files[spec] = files[spec].replace("$schema=", f"$schema={suite.specs}/")
    if (folder / "README.md").exists():  # of another operator in the folder; the steps are the same
        del files["README.md"]
    for name in files:
        if (folder / name).exists() or (folder / name).is_symlink():
            raise WrongInputError(f"{folder / name}: already exists; name another folder with -o")
    for name, text in files.items():
        write_text(folder / name, text)
        typer.echo(folder / name)
    todos = files[spec].count("page line")
    typer.echo(f"{todos} todos in the spec; {folder / 'README.md'} lists the next steps")

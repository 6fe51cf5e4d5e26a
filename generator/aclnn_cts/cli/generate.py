# SPDX-License-Identifier: Apache-2.0
"""Commands that bring generated files into step with the specs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from aclnn_cts.cli.options import (
    DEFAULT_TIER,
    EditionName,
    Operators,
    Product,
    SpecFolders,
    TierName,
    load,
    reported,
)
from aclnn_cts.emit import generated_files
from aclnn_cts.emit.data_files import DataStore
from aclnn_cts.errors import NotTrustworthyError, WrongInputError
from aclnn_cts.plan.covering import CoveringStore
from aclnn_cts.plan.planner import plan
from aclnn_cts.report.results import ResultsFile
from aclnn_cts.run.devices import DEFAULT_PRODUCT
from aclnn_cts.spec.edition_models import CURRENT
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite

SCHEMAS = {"results.schema.json": ResultsFile}
"""The models of files that commands write, and that have a published schema."""


@reported
def generate(
    operator: Operators = None,
    folders: SpecFolders = None,
    product: Product = DEFAULT_PRODUCT,
    tier: TierName = DEFAULT_TIER,
    edition: EditionName = CURRENT,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; report files that are out of date.")
    ] = False,
) -> None:
    """Update all generated files from the specs, and make the inputs of a tier."""
    suite, specs = load(folders=folders)
    specs.require_valid()
    if check:
        if edition != CURRENT:
            raise WrongInputError("--check looks at files of all editions; leave out --edition")
        _require_in_step(suite, specs, operator)
        return
    wanted = load_specs(suite, edition)
    cases = plan(wanted, product, tier, operator, CoveringStore.of(suite))
    for path in generated_files.bring_into_step(specs, suite, SCHEMAS, operator):
        typer.echo(f"changed {path.relative_to(suite.root)}")
    DataStore(suite.cache / "data").provide(wanted, cases)
    typer.echo(f"{len(cases)} cases of tier {tier} on {product}: inputs in {suite.cache / 'data'}")


def _require_in_step(suite: Suite, specs: SpecSet, operators: Sequence[str] | None) -> None:
    stale = generated_files.check(specs, suite, SCHEMAS, operators)
    if stale:
        names = "\n".join(f"  {path.relative_to(suite.root)}" for path in stale)
        raise NotTrustworthyError(
            f"generated files are out of date; run `aclnn-cts generate` and commit:\n{names}"
        )
    whose = f" of {', '.join(operators)}" if operators else ""
    typer.echo(f"programs, headers, schemas and golden data{whose} are up to date")

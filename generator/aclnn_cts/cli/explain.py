# SPDX-License-Identifier: Apache-2.0
"""The command that explains a case or a clause."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from aclnn_cts.cli.coverage import gather
from aclnn_cts.cli.options import (
    CORES,
    CallListFile,
    EditionName,
    Jobs,
    Operators,
    SpecFolders,
    TierName,
    load,
    reported,
    select_case,
)
from aclnn_cts.console import show_explanation
from aclnn_cts.errors import WrongInputError
from aclnn_cts.report.coverage import CoverageQuestion, promises_of
from aclnn_cts.report.coverage_text import clause_story, silence_story
from aclnn_cts.report.results import FILE_NAME, ResultsDocument, read_results
from aclnn_cts.run.devices import DEFAULT_PRODUCT
from aclnn_cts.spec.edition_models import CURRENT
from aclnn_cts.spec.loading import SpecSet

_PREFIX = "aclnn"

_MOST_OPERATORS = 5
"""Operators with a clause of the same id that are explained together."""


@reported
def explain(
    identifier: Annotated[
        str, typer.Argument(metavar="ID", help="A case's id, or a clause's: [OPERATOR/]CLAUSE.")
    ],
    operator: Operators = None,
    folders: SpecFolders = None,
    product: Annotated[
        str, typer.Option("--product", help="The product of the cases.")
    ] = DEFAULT_PRODUCT,
    tier: TierName = "standard",
    edition: EditionName = CURRENT,
    calls: CallListFile = None,
    results: Annotated[
        Path | None, typer.Option("--results", help="Also show the verdict of this run.")
    ] = None,
    jobs: Jobs = CORES,
) -> None:
    """Explain a case and its purpose, or a clause and the cases that test it."""
    suite, specs = load(edition, folders)
    if "." in identifier and not identifier.startswith(_PREFIX):  # as no id of a case does
        case = select_case(suite, specs, identifier, product, tier, calls)
        told = _told(results, identifier, product, specs.edition) if results is not None else None
        show_explanation(specs, case)
        if told is not None:
            _print(_found(told, identifier))
        return
    operators = [spec.operator for spec in specs.tested_named(operator or None)]
    found = find_clauses(specs, identifier, operators)
    at = specs.product(product).id
    told = _told(results, identifier, at, specs.edition) if results is not None else None
    silent = {key for key in found if key[1] in _silences(specs, key[0])}
    wanted = list(dict.fromkeys(name for name, clause in found if (name, clause) not in silent))
    if len(wanted) > _MOST_OPERATORS:
        raise WrongInputError(
            f"{identifier} is a clause of {len(wanted)} operators: {', '.join(wanted)}; name one, "
            f"as in `aclnn-cts explain {wanted[0]}/{identifier}`"
        )
    values = any(
        promise.kind == "value" and (name, promise.clause) in found
        for name in wanted
        for promise in promises_of(specs, specs.operator(name))
    )
    question = CoverageQuestion(suite, specs.edition, tuple(wanted), (at,), tier, values=values)
    for coverage in gather(question, jobs):
        if (coverage.promise.operator, coverage.promise.clause) in found:
            _print(clause_story(specs, coverage, tier, told))
    for name, silence in found:
        if (name, silence) in silent:
            _print(silence_story(specs, name, silence))


def _told(folder: Path, identifier: str, product: str, edition: str) -> ResultsDocument:
    """Return the results of a run; raises WrongInputError if product or edition differ."""
    told = read_results(folder)
    about = told.device.product
    if (about, told.edition) != (product, edition):
        raise WrongInputError(
            f"{folder / FILE_NAME}: is about {about} in the edition {told.edition}, not {product} "
            f"in the edition {edition}; run `aclnn-cts explain {identifier} --product {about} "
            f"--edition {told.edition} --results {folder}`"
        )
    return told


def _found(told: ResultsDocument, identifier: str) -> Iterator[str]:
    """Yield a run's verdict on a case."""
    entry = next((case for case in told.cases if case.id == identifier), None)
    if entry is None:
        yield "that run has no such case"
        return
    yield ": ".join(filter(None, (f"in that run: {entry.verdict.value}", entry.message)))
    if entry.said:
        yield f"the runtime said: {entry.said}"


def _print(lines: Iterator[str]) -> None:
    for line in lines:
        typer.echo(line)
    typer.echo()


def find_clauses(
    specs: SpecSet, identifier: str, operators: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Return the operators and clauses that an id may mean.

    Args:
        identifier: ``eps-one``, ``aclnnLogitGrad/eps-one`` or ``LogitGrad/eps-one``.

    Raises:
        WrongInputError: There is no such clause; the nearest ones are offered.
    """
    known = [(name, clause) for name in operators for clause in _clause_ids(specs, name)]
    if identifier in operators:
        raise WrongInputError(
            f"{identifier} is an operator; `aclnn-cts coverage --operator {identifier}` lists its "
            f"clauses, `aclnn-cts explain {identifier}/CLAUSE` explains one"
        )
    operator, slash, clause = identifier.rpartition("/")
    whole = operator if operator.startswith(_PREFIX) else _PREFIX + operator
    found = [key for key in known if key[1] == clause and (not slash or key[0] == whole)]
    if not found:
        raise _unknown(
            identifier,
            [f"{name}/{id_}" for name, id_ in known]
            if slash or "." in identifier
            else [id_ for _, id_ in known],
        )
    return tuple(found)


def _clause_ids(specs: SpecSet, operator: str) -> list[str]:
    spec = specs.operator(operator)
    return [*(promise.clause for promise in promises_of(specs, spec)), *_silences(specs, operator)]


def _silences(specs: SpecSet, operator: str) -> list[str]:
    return [silence.id for silence in specs.operator(operator).not_promised]


def _unknown(identifier: str, known: Sequence[str]) -> WrongInputError:
    nearest = difflib.get_close_matches(
        identifier.replace(".", "/"), dict.fromkeys(known), n=3, cutoff=0.4
    )
    hint = (
        f"did you mean {' or '.join(map(repr, nearest))}?"
        if nearest
        else ("`aclnn-cts coverage` lists all clauses, `aclnn-cts list` all cases")
    )
    return WrongInputError(f"there is no case or clause {identifier!r}; {hint}")

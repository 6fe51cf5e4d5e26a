# SPDX-License-Identifier: Apache-2.0
"""Commands that add an operator: draft, compare with its page, generate."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aclnn_cts.cli import options
from aclnn_cts.console import print_json
from aclnn_cts.emit import generated_files
from aclnn_cts.emit.data_files import DataStore
from aclnn_cts.errors import ExitCode, NotTrustworthyError, WrongInputError, counted
from aclnn_cts.files import refuse_links_out, write_text
from aclnn_cts.plan.covering import PlanCache
from aclnn_cts.plan.planner import plan
from aclnn_cts.results.document import ResultsFile
from aclnn_cts.run.devices import DEFAULT_PRODUCT
from aclnn_cts.spec.editions import CURRENT
from aclnn_cts.spec.loading import SpecSet, load_products, load_specs
from aclnn_cts.spec.schema import schema_texts
from aclnn_cts.suite import Suite, find_suite

if TYPE_CHECKING:
    from aclnn_cts.transcribe.page_model import Page
    from aclnn_cts.transcribe.trace import Finding, Traced


@dataclass(frozen=True)
class TranscribeOptions:
    """The options of a transcription."""

    source: Annotated[Path, typer.Argument(metavar="PAGE.md", help="An operator's page.")]
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The spec to write; printed if absent.")
    ] = None
    operator: Annotated[
        str | None, typer.Option("--operator", help="Of a page on two operators, the one to draft.")
    ] = None
    folder: Annotated[
        Path | None,
        typer.Option(
            "--folder", metavar="DIR", help="Start an operator of your own in this folder, instead."
        ),
    ] = None
    contract: Annotated[
        bool, typer.Option("--contract", help="Draft a contract spec: no values of outputs.")
    ] = False
    as_json: Annotated[
        bool, typer.Option("--json", help="All that was read of the page, as one JSON document.")
    ] = False

    def operator_of(self, page: Page) -> str | None:
        """Return the operator to draft; None for the first one of the page.

        Raises:
            WrongInputError: The output is named after another operator.
        """
        if self.output is None or not self.output.stem.startswith("aclnn"):
            return self.operator
        name, names = self.output.stem, [function.name for function in page.functions]
        if name not in names or self.operator not in (None, name):
            raise WrongInputError(
                f"{self.output}: {self.source} is about {' and '.join(names)}; name the file after "
                "its operator"
            )
        return name


@options.take_options(TranscribeOptions)
def transcribe(arguments: TranscribeOptions) -> None:
    """Draft a spec from an operator's page, with a todo for anything uncertain."""
    # Other commands need not pay for the libraries that read pages.
    from aclnn_cts.transcribe.draft import draft  # noqa: PLC0415
    from aclnn_cts.transcribe.page_lock import lock_name  # noqa: PLC0415
    from aclnn_cts.transcribe.reader import read_page  # noqa: PLC0415

    output, folder, as_json = arguments.output, arguments.folder, arguments.as_json
    if folder is not None and (output is not None or as_json):
        raise WrongInputError("--folder excludes --output and --json; give one of them")
    lock = None if output is None or as_json else output.parent / lock_name(output.stem)
    for path in filter(None, (output, lock)):
        if path.exists():
            raise WrongInputError(
                f"{path}: already exists; compare it with the page by `aclnn-cts trace`, or name "
                "another file"
            )
    suite = find_suite()
    page = read_page(arguments.source, load_products(suite))
    if folder is not None:
        operator = arguments.operator or page.functions[0].name
        _begin_folder(page, arguments.source, suite, operator, folder, contract=arguments.contract)
        return
    drafted = arguments.operator_of(page)
    if as_json:
        content = {"format": "aclnn-cts/page/1", **page.model_dump(mode="json")}
        text, sentences = json.dumps(content, indent=2, ensure_ascii=False) + "\n", ""
    else:
        edition = load_specs(suite).date
        text, sentences = draft(page, edition, drafted, contract=arguments.contract)
    if output is None:
        typer.echo(text, nl=False)
        return
    write_text(output, text)
    if lock is None:
        typer.echo(output)
        return
    write_text(lock, sentences)
    todos = counted(text.count("page line"), "todo")
    typer.echo(
        f"{output}: {todos}, with their places on the page; the edition is that of the other specs"
    )


def _begin_folder(
    page: Page, source: Path, suite: Suite, operator: str, folder: Path, *, contract: bool
) -> None:
    """Write a draft of an operator's spec into a folder, with the next steps."""
    from aclnn_cts.emit.operator_draft import draft_files  # noqa: PLC0415 - as above

    if (existing := suite.specs / f"{operator}.yaml").exists():
        raise WrongInputError(f"{existing}: the suite has {operator} already")
    edition = load_specs(suite).date
    files = draft_files(page, edition, operator, source, folder, contract=contract)
    spec = f"{operator}.yaml"
    if (folder / "README.md").exists():  # of another operator in the folder; the steps are the same
        del files["README.md"]
    for name in files:
        if (folder / name).exists() or (folder / name).is_symlink():
            raise WrongInputError(f"{folder / name}: already exists; name another folder")
    for name, text in files.items():
        write_text(folder / name, text)
        typer.echo(folder / name)
    _write_schemas(folder / "schema", ["operator.schema.json"])
    todos = files[spec].count("page line")
    typer.echo(f"{counted(todos, 'todo')} in the spec; {folder / 'README.md'} lists the next steps")


@dataclass(frozen=True)
class TraceOptions:
    """The options of a comparison of specs with pages."""

    pages: Annotated[
        Path,
        typer.Option(
            "--pages", envvar="ACLNN_CTS_PAGES", help="The folder that holds the operators' pages."
        ),
    ]
    operator: options.Operators = None
    folders: options.SpecFolders = None
    edition: options.EditionName = CURRENT
    review: Annotated[
        bool, typer.Option("--review", help="Print each sentence beside the clauses on it, too.")
    ] = False
    assign: Annotated[
        list[str] | None,
        typer.Option(
            "--assign",
            metavar="FINGERPRINT=NAME,NAME",
            help="Record the clauses or parameters that transcribe a sentence; may be repeated.",
        ),
    ] = None
    as_json: options.AsJson = False


@options.take_options(TraceOptions)
def trace(arguments: TraceOptions) -> None:
    """Compare specs with pages."""
    # Other commands need not pay for the libraries that read pages.
    from aclnn_cts.transcribe import page_lock  # noqa: PLC0415
    from aclnn_cts.transcribe.reader import read_page  # noqa: PLC0415
    from aclnn_cts.transcribe.trace import trace_page  # noqa: PLC0415

    suite = options.suite_with(arguments.folders)
    specs = load_specs(suite, arguments.edition)
    selection = specs.select_tested(arguments.operator or None)
    if arguments.assign and len(selection) != 1:
        raise WrongInputError("--assign is for one operator; name it with --operator")
    traces: list[tuple[Path, Traced]] = []
    for spec in selection:
        path = _page_of(arguments.pages, spec.operator)
        lock = page_lock.lock_path(suite, specs, spec.operator)
        sentences = page_lock.read_lock(lock, specs, spec.operator)
        try:
            page = read_page(path, specs.products)
            if assign := arguments.assign:
                sentences = page_lock.assign(sentences, assign, page, specs, spec.operator)
                write_text(lock, page_lock.lock_text(sentences))
            of_edition = sentences.get(specs.edition, {})
            traces.append((path, trace_page(spec, page, of_edition, specs.operators)))
        except WrongInputError as error:
            if str(error).startswith(f"{path}:"):
                raise
            raise WrongInputError(f"{path}: {error}") from None
    if arguments.as_json:
        findings = {t.operator: [_as_json(f) for f in t.findings] for _, t in traces}
        print_json({"format": "aclnn-cts/trace/1", "edition": specs.edition, "operators": findings})
    else:
        for path, traced in traces:
            typer.echo("\n".join(_lines(path, traced, review=arguments.review)))
    if any(traced.findings for _, traced in traces):
        raise typer.Exit(ExitCode.BROKEN_PROMISE)


def _page_of(folder: Path, operator: str) -> Path:
    """Return the page whose file name contains the operator's name."""
    if not folder.is_dir():
        raise WrongInputError(f"{folder}: is not a folder; give the folder of the pages")
    paths = sorted(
        path
        for path in folder.rglob("aclnn*")
        if path.suffix in (".md", ".txt") and operator in path.stem.split("&")
    )
    if len(paths) != 1:
        several = f"several pages of {operator}: {', '.join(map(str, paths))}"
        raise WrongInputError(
            f"{folder}: {several if paths else f'no page {operator}.md'}; name one operator with "
            "--operator, or another folder"
        )
    refuse_links_out(folder, paths)
    return paths[0]


def _lines(path: Path, traced: Traced, *, review: bool) -> Iterator[str]:
    for sentence, names in traced.pairs if review else ():
        yield f"{', '.join(names):30} {sentence.place}: {sentence.text}"
    if not traced.findings:
        yield f"{traced.operator}: spec and page agree"
    for finding in traced.findings:
        line = 1 if finding.place is None else finding.place.line
        mark = f" [{finding.fingerprint}]" if finding.fingerprint else ""
        place = f"{path}:{line}: {traced.operator}"
        yield f"{place}: {finding.kind}: {finding.about}: {finding.text}{mark}"


def _as_json(finding: Finding) -> dict[str, object]:
    return asdict(finding) | {"place": finding.place and finding.place.model_dump()}


SCHEMAS = {"results.schema.json": ResultsFile}
"""Models of output files with a published schema."""


def _write_schemas(folder: Path, names: Collection[str] = ()) -> None:
    """Write JSON Schemas into a folder: those with these file names, or all."""
    for name, text in schema_texts(SCHEMAS).items():
        if not names or name in names:
            write_text(folder / name, text)


def generate(
    operator: options.Operators = None,
    folders: options.SpecFolders = None,
    product: options.Product = DEFAULT_PRODUCT,
    tier: options.TierName = options.DEFAULT_TIER,
    edition: options.EditionName = CURRENT,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; report files that are out of date.")
    ] = False,
    schemas: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Only write the JSON Schemas of specs, waivers and results to DIR."
        ),
    ] = None,
) -> None:
    """Update all generated files of a checkout from the specs, and make the inputs of a tier.

    With --specs, or without a checkout, make inputs only. The sources of the simulated device that
    follow from specs are made in the cache, by each command that uses them.
    """
    if schemas is not None:
        _write_schemas(schemas)
        return
    suite, specs = options.load(folders=folders)
    if check:
        if edition != CURRENT:
            raise WrongInputError("--check looks at files of all editions; leave out --edition")
        _require_in_step(suite, specs, operator)
        return
    specs.require_valid()
    edition_specs = load_specs(suite, edition)
    cases = plan(edition_specs, product, tier, operator, PlanCache.of(suite))
    if suite.is_checkout:
        for path in generated_files.bring_into_step(specs, suite, operator):
            state = "changed" if path.is_file() else "removed"
            typer.echo(f"{state} {path.relative_to(suite.root)}")
        _write_schemas(suite.specs / "schema")
    DataStore(suite.cache / "data").provide(edition_specs, cases)
    typer.echo(
        f"{counted(len(cases), 'case')} of tier {tier} on {product}: inputs in "
        f"{suite.cache / 'data'}"
    )


def _require_in_step(suite: Suite, specs: SpecSet, operators: Sequence[str] | None) -> None:
    stale = generated_files.check(specs, suite, operators) if suite.is_checkout else ()
    if stale:
        names = "".join(f"\n  {path.relative_to(suite.root)}" for path in stale)
        invalid = "".join(f"\n{error}" for error in specs.invalid.values())
        raise NotTrustworthyError(
            f"generated files are out of date; run `aclnn-cts generate` and commit:{names}{invalid}"
        )
    specs.require_valid()
    whose = f" of {', '.join(operators)}" if operators else ""
    typer.echo(f"programs, documents and golden data{whose} are up to date")

# SPDX-License-Identifier: Apache-2.0
"""Generated files that are checked in, and whether they are up to date."""

from __future__ import annotations

import contextlib
import subprocess
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from aclnn_cts.coverage.clause_coverage import cover_operators
from aclnn_cts.coverage.findings import Finding, FindingKind, list_findings
from aclnn_cts.coverage.reached_cases import CoverageQuestion
from aclnn_cts.emit.cpp_sources import program_texts
from aclnn_cts.emit.golden_files import GOLDEN_PRODUCT, stale_golden
from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import replacing
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.overlaps import may_clash
from aclnn_cts.spec.schema import reference
from aclnn_cts.suite import Suite


def clang_format(texts: Mapping[Path, str], style: Path) -> dict[Path, str]:
    """Return C++ sources in the project's format, by the path that each is for.

    Raises:
        NotTrustworthyError: clang-format is missing, or refuses a source.
    """
    if not texts:
        return {}  # without files, clang-format would read its standard input
    program = Path(sysconfig.get_path("scripts")) / "clang-format"
    with tempfile.TemporaryDirectory() as folder:
        copies = {path: Path(folder, str(n), path.name) for n, path in enumerate(texts)}
        for path, copy in copies.items():
            copy.parent.mkdir()
            copy.write_text(texts[path], encoding="utf-8")
        command = [str(program), f"--style=file:{style}", "-i", *map(str, copies.values())]
        try:
            subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
        except FileNotFoundError:
            raise NotTrustworthyError(
                "clang-format is missing; install it: pip install --editable '.[generate]'"
            ) from None
        except subprocess.CalledProcessError as error:
            raise NotTrustworthyError(f"clang-format: {error.stderr.strip()}") from None
        return {path: copy.read_text(encoding="utf-8") for path, copy in copies.items()}


def generated_texts(specs: SpecSet, suite: Suite) -> dict[Path, str]:
    """Return every generated text file that is checked in by its path: C++, CMake, documents."""
    programs = program_texts(specs, suite, specs.operators)
    texts = {suite.generated_tests / name: text for name, text in programs.items()}
    sources = {path: text for path, text in texts.items() if path.suffix == ".cpp"}
    texts |= clang_format(sources, suite.root / ".clang-format")
    docs = suite.root / "docs"
    if docs.is_dir():
        texts[docs / "spec-reference.md"] = reference()
        readme = suite.root / "README.md"
        page = readme.read_text(encoding="utf-8")
        texts[readme] = with_operator_table(page, specs, _findings(specs, suite))
    return texts


def _findings(specs: SpecSet, suite: Suite) -> tuple[Finding, ...]:
    """Return the findings about all documents; calls only show which clauses contradict others."""
    tested = tuple(spec.operator for spec in specs.tested_operators)
    clashing = tuple(name for name in tested if may_clash(specs.operator(name)))
    question = CoverageQuestion(suite, specs.edition, clashing, (GOLDEN_PRODUCT,), "smoke")
    return list_findings(suite, specs, tested, cover_operators(question) if clashing else ())


def out_of_step(texts: Mapping[Path, str], suite: Suite) -> list[Path]:
    """Return the paths of files that are out of date.

    So are files that no spec produces any more.
    """
    programs = suite.generated_tests.glob("*.c*")
    strangers = [path for path in programs if path not in texts]
    changed = [
        path
        for path, text in texts.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    return sorted([*strangers, *changed])


def check(specs: SpecSet, suite: Suite, operators: Iterable[str] | None = None) -> list[Path]:
    """Return the paths of files that are out of step; see :func:`bring_into_step`.

    If a spec is invalid, only what follows from a valid one alone can be checked.
    """
    stale = out_of_step(generated_texts(specs, suite), suite)
    if specs.invalid:
        stale = [path for path in stale if path.stem in specs.operators]
    return [*stale, *stale_golden(specs, suite, operators)]


def bring_into_step(
    specs: SpecSet, suite: Suite, operators: Iterable[str] | None = None
) -> list[Path]:
    """Update the files that are out of date, remove stale ones; return both.

    All contents are made before the first file is replaced, so a failure changes nothing.

    Args:
        operators: Whose golden data are made; those of all operators if None.
    """
    texts = generated_texts(specs, suite)
    stale = out_of_step(texts, suite)
    contents = {path: texts[path] for path in stale if path in texts}
    contents |= stale_golden(specs, suite, operators)
    with contextlib.ExitStack() as stack:
        for path, content in contents.items():
            file = stack.enter_context(replacing(path))
            file.write(content.encode())
            file.flush()
    for path in stale:
        if path not in texts:
            path.unlink()
    return [*stale, *(path for path in contents if path not in texts)]


_OPEN: Mapping[str, FindingKind] = {
    "contradictions": "contradiction",
    "statuses left open": "status",
    "silences": "silence",
}
"""Columns of the table of operators with findings about their documents."""

_BEGIN, _END = "<!-- operators: begin -->\n", "<!-- operators: end -->"


def _lines(specs: SpecSet, findings: Sequence[Finding]) -> Iterator[str]:
    families = sorted({spec.document.family for spec in specs.tested_operators})
    rows = {
        name: [s for s in specs.tested_operators if s.document.family == name] for name in families
    }
    rows["all"] = list(specs.tested_operators)
    products = " | ".join(f"`{product}`" for product in specs.products)
    yield f"| Family | Operators | contract only | {products} | {' | '.join(_OPEN)} |"
    yield "|---|--:|--:|" + "--:|" * (len(specs.products) + len(_OPEN))
    for family, operators in rows.items():
        promised = (sum(spec.supports(product) for spec in operators) for product in specs.products)
        kinds = Counter(finding.kind for finding in findings if family in (finding.family, "all"))
        contract = sum(spec.is_contract for spec in operators)
        counts = (len(operators), contract, *promised, *(kinds[kind] for kind in _OPEN.values()))
        yield f"| {family} | {' | '.join(map(str, counts))} |"


def with_operator_table(page: str, specs: SpecSet, findings: Sequence[Finding]) -> str:
    """Return a page with an updated operator table, if it has one."""
    before, begin, tail = page.partition(_BEGIN)
    _, end, after = tail.partition(_END)
    if not end:
        return page
    return "".join(
        (before, begin, "\n", *(f"{line}\n" for line in _lines(specs, findings)), "\n", end, after)
    )

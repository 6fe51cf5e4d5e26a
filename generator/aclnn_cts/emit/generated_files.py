# SPDX-License-Identifier: Apache-2.0
"""Generated files that are checked in, and whether they are up to date."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from pydantic import BaseModel

from aclnn_cts.emit.golden_files import stale_golden
from aclnn_cts.emit.programs import calls_text, clang_format, generated_sources
from aclnn_cts.emit.simulated import is_generated, simulated_text
from aclnn_cts.files import replacing
from aclnn_cts.spec.loading import SpecSet, editions_of, load_specs
from aclnn_cts.spec.schema import reference, schema_texts
from aclnn_cts.suite import Suite


def operator_texts(specs: SpecSet, suite: Suite, operators: Collection[str]) -> dict[Path, str]:
    """Return the C++ of some operators by path, and the CMake list of side calls."""
    texts = generated_sources(specs, suite, operators)
    for name in operators:
        spec = specs.operators[name]
        if is_generated(spec, suite):
            path = suite.simulator / "generated" / f"{name}.cpp"
            texts[path] = simulated_text(spec)
    texts = clang_format(texts, suite.root / ".clang-format")
    editions = [load_specs(suite, name) for name in editions_of(suite)]
    texts[suite.generated_tests / "calls.cmake"] = calls_text(editions)
    return texts


def generated_texts(
    specs: SpecSet, suite: Suite, further: Mapping[str, type[BaseModel]]
) -> dict[Path, str]:
    """Return every generated text file by its path: C++, CMake, JSON Schemas, documents.

    Args:
        further: Further models that have a schema, by the schema's file name.
    """
    texts = operator_texts(specs, suite, specs.operators)
    for name, text in schema_texts(further).items():
        texts[suite.specs / "schema" / name] = text
    docs = suite.root / "docs"
    if docs.is_dir():
        texts[docs / "spec-reference.md"] = reference()
        readme = suite.root / "README.md"
        texts[readme] = with_operator_table(readme.read_text(encoding="utf-8"), specs)
    return texts


def out_of_step(texts: Mapping[Path, str], suite: Suite) -> list[Path]:
    """Return the paths of files that are out of date.

    So are files that no spec produces any more.
    """
    folders = (
        (suite.generated_tests, "*.cpp"),
        (suite.generated_tests, "*.cmake"),
        (suite.simulator / "include" / "aclnnop", "**/*.h"),
        (suite.simulator / "generated", "*.cpp"),
        (suite.specs / "schema", "*.json"),
    )
    strangers = [
        path for folder, pattern in folders for path in folder.glob(pattern) if path not in texts
    ]
    changed = [
        path
        for path, text in texts.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    return sorted([*strangers, *changed])


def check(
    specs: SpecSet,
    suite: Suite,
    further: Mapping[str, type[BaseModel]],
    operators: Iterable[str] | None = None,
) -> list[Path]:
    """Return the paths of files that are out of step; see :func:`bring_into_step`.

    If a spec is invalid, only what follows from a valid one alone can be checked.
    """
    stale = out_of_step(generated_texts(specs, suite, further), suite)
    if specs.invalid:
        stale = [path for path in stale if path.stem in specs.operators]
    return [*stale, *stale_golden(specs, suite, operators)]


def bring_into_step(
    specs: SpecSet,
    suite: Suite,
    further: Mapping[str, type[BaseModel]],
    operators: Iterable[str] | None = None,
) -> list[Path]:
    """Update the files that are out of date, remove stale ones; return both.

    All contents are made before the first file is replaced, so a failure changes nothing.

    Args:
        operators: Whose golden data are made; those of all operators if None.
    """
    texts = generated_texts(specs, suite, further)
    stale = out_of_step(texts, suite)
    contents = {path: texts[path].encode() for path in stale if path in texts}
    contents |= stale_golden(specs, suite, operators)
    with contextlib.ExitStack() as stack:
        for path, content in contents.items():
            file = stack.enter_context(replacing(path))
            file.write(content)
            file.flush()
    for path in stale:
        if path not in texts:
            path.unlink()
    return [*stale, *(path for path in contents if path not in texts)]


_BEGIN, _END = "<!-- operators: begin -->\n", "<!-- operators: end -->"


def _lines(specs: SpecSet) -> Iterator[str]:
    families = sorted({spec.document.family for spec in specs.tested})
    rows = {name: [s for s in specs.tested if s.document.family == name] for name in families}
    rows["all"] = list(specs.tested)
    products = " | ".join(f"`{product}`" for product in specs.products)
    yield f"| Family | Operators | contract only | {products} |"
    yield "|---|--:|--:|" + "--:|" * len(specs.products)
    for family, operators in rows.items():
        promised = (sum(spec.supports(product) for spec in operators) for product in specs.products)
        counts = (len(operators), sum(spec.is_contract for spec in operators), *promised)
        yield f"| {family} | {' | '.join(map(str, counts))} |"


def with_operator_table(page: str, specs: SpecSet) -> str:
    """Return a page with an updated operator table, if it has one."""
    before, begin, rest = page.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not end:
        return page
    return "".join(
        (before, begin, "\n", *(f"{line}\n" for line in _lines(specs)), "\n", end, after)
    )

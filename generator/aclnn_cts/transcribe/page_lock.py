# SPDX-License-Identifier: Apache-2.0
"""Lock files of pages: which clauses or parameters of a spec transcribe each sentence of its page.

Each is beside the spec, in the folder ``pages``, and has a line for each sentence. A command that
compares no pages reads none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import yaml
from pydantic import Field

from aclnn_cts.errors import WrongInputError, unknown_name
from aclnn_cts.spec.clause_models import (
    BATCH_CONSISTENCY,
    Complaint,
    Fingerprint,
    Strict,
)
from aclnn_cts.spec.editions import CURRENT, EditionName
from aclnn_cts.spec.loading import SpecSet
from aclnn_cts.spec.model_files import read_model, refuse
from aclnn_cts.spec.names import unknown
from aclnn_cts.spec.yaml_files import Location
from aclnn_cts.suite import Suite
from aclnn_cts.transcribe.page_model import Page

Sentences = Mapping[str, Sequence[str]]
"""The names of the clauses or parameters that transcribe a sentence, by its fingerprint."""

BESIDE_CLAUSES = ("nothing", "summary")
"""Names besides clauses: for sentences without promises, and descriptions of the operator."""

UNTESTED = "untested-values"
"""The name for promises on values of contract operators."""

_WRITTEN_BY = "# Written by `aclnn-cts transcribe` and `aclnn-cts trace --assign`.\n"


class PageLock(Strict):
    """pages/aclnnX.lock.yaml."""

    sentences: dict[EditionName, dict[Fingerprint, list[str]]] = Field(
        description="Clauses or parameters by fingerprint, edition by edition."
    )


def lock_path(suite: Suite, specs: SpecSet, operator: str) -> Path:
    """Return the lock file of an operator's page; there may be none."""
    spec = (suite.home or suite).root / specs.file_of(operator)
    return spec.parent / lock_name(spec.stem)


def lock_name(operator: str) -> str:
    """Return the lock file of the page whose first operator this is, below the spec's folder."""
    return f"pages/{operator}.lock.yaml"


def read_lock(path: Path, specs: SpecSet, operator: str) -> dict[str, Sentences]:
    """Return the sentences of each edition; none without a file.

    Args:
        specs: The specs in the edition whose names are checked.

    Raises:
        WrongFileError: ``path:LINE: what is wrong``, one line per mistake.
    """
    if not path.is_file():
        return {}
    lock, lines = read_model(path, PageLock)
    refuse(path, lines, _complaints(lock, specs, operator))
    return dict(lock.sentences)


def _complaints(lock: PageLock, specs: SpecSet, operator: str) -> Iterator[Complaint]:
    editions = {CURRENT, *specs.operator(operator).editions}
    for name in lock.sentences:
        if name not in editions:
            yield ("sentences", name), unknown("edition", name, editions)
    allowed = names_of(specs, operator)
    for fingerprint, names in lock.sentences.get(specs.edition, {}).items():
        at: Location = ("sentences", specs.edition, fingerprint)
        for name in names:
            if name not in allowed:
                yield at, unknown("clause or parameter", name, allowed)


def names_of(specs: SpecSet, operator: str) -> set[str]:
    """Return the names that sentences of an operator's page may be assigned to."""
    spec = specs.operator(operator)
    names = {*BESIDE_CLAUSES, *([UNTESTED] if spec.is_contract else [])}
    for each in (other for other in specs.operators.values() if other.file == spec.file):
        sections = (each.rules, each.clauses, each.errors, each.not_promised)
        names |= {item.id for section in sections for item in section}
        names |= {parameter.name for parameter in each.parameters}
        names |= {BATCH_CONSISTENCY} if each.batch_consistency else set()
    return names


def assign(
    sentences: Mapping[str, Sentences],
    assignments: Iterable[str],
    page: Page,
    specs: SpecSet,
    operator: str,
) -> dict[str, Sentences]:
    """Return the sentences of each edition after some assignments, in the order of the page.

    Args:
        assignments: ``FINGERPRINT=NAME,NAME``; without names, the sentence is removed.
        specs: The specs in the edition of the page.

    Raises:
        WrongInputError: A fingerprint or a name does not exist.
    """
    changed = dict(sentences.get(specs.edition, {}))
    by_line = sorted(page.sentences, key=lambda sentence: sentence.place.line)
    order = dict.fromkeys((*(sentence.fingerprint for sentence in by_line), *changed))
    allowed = names_of(specs, operator)
    for assignment in assignments:
        fingerprint, sign, listed = assignment.partition("=")
        names = [name for name in listed.split(",") if name]
        if not sign:
            raise WrongInputError(f"--assign {assignment}: write FINGERPRINT=NAME,NAME")
        if fingerprint not in order:
            raise WrongInputError(f"--assign {assignment}: there is no such sentence")
        if wrong := [name for name in names if name not in allowed]:
            raise unknown_name("clause or parameter", wrong[0], allowed)
        changed[fingerprint] = names
    return {
        **sentences,
        specs.edition: {each: changed[each] for each in order if changed.get(each)},
    }


def lock_text(sentences: Mapping[str, Sentences]) -> str:
    """Return the content of a lock file: a line for each sentence."""
    data = {
        name: {p: list(names) for p, names in prints.items()} for name, prints in sentences.items()
    }
    body: str = yaml.safe_dump(
        {"sentences": data}, default_flow_style=None, sort_keys=False, width=1 << 20
    )
    return _WRITTEN_BY + body

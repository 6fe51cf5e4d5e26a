# SPDX-License-Identifier: Apache-2.0
"""The findings about the documents as one JSON document, as Markdown and as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from markupsafe import Markup

from aclnn_cts.coverage.findings import (
    KINDS,
    Finding,
    FindingKind,
    Statement,
    count_kinds,
)
from aclnn_cts.errors import counted
from aclnn_cts.report.formatting import code, escape
from aclnn_cts.report.page import html_templates, page_policy, page_style
from aclnn_cts.results.cases import Entry
from aclnn_cts.results.document import ResultsDocument

TITLES: dict[FindingKind, str] = {
    "contradiction": "Contradictions",
    "status": "Statuses left open",
    "silence": "Silences",
    "note": "Notes",
}
MEANINGS: dict[FindingKind, str] = {
    "contradiction": "The page says two things that cannot both hold. Either is accepted.",
    "status": "The page forbids a call, and leaves the status of its refusal open.",
    "silence": "The page promises nothing there, so nothing is held against a device.",
    "note": "What the spec remarks on a row: it may be a contradiction in free words, an omission "
    "of the page, or a limit of the tests.",
}


class FindingsDocument(Entry):
    """What the documents of some operators leave open.

    Attributes:
        product: The product of the planned calls.
        run: The folder of the run that says what a device does; empty without one.
        findings: Those that touch most planned calls first.
    """

    format: Literal["aclnn-cts/documents/1"] = "aclnn-cts/documents/1"
    edition: str
    product: str
    tier: str
    run: str = ""
    findings: tuple[Finding, ...]

    @property
    def families(self) -> list[str]:
        """The families with findings."""
        return sorted({finding.family for finding in self.findings})


def with_answers(findings: Iterable[Finding], results: ResultsDocument) -> tuple[Finding, ...]:
    """Return findings with what a run's device does: the clause it follows, the status it gives."""
    answers = {
        f"{contradiction.operator}/{'+'.join(contradiction.clauses)}": contradiction.followed
        for contradiction in results.contradictions
    }
    answers |= {
        f"{gap.operator}/{gap.clause}": " and ".join(gap.given) for gap in results.document_gaps
    }

    def answer(finding: Finding) -> str:
        if finding.kind not in ("contradiction", "status"):
            return ""
        name = finding.id.partition("/")[2]
        texts = dict.fromkeys(
            answers.get(f"{operator}/{name}", "") for operator in finding.operators
        )
        return "; ".join(filter(None, texts))

    return tuple(replace(finding, device=answer(finding)) for finding in findings)


@dataclass(frozen=True)
class Group:
    """Findings of one family in the same words.

    Attributes:
        statements: Those of all findings, each once.
    """

    findings: tuple[Finding, ...]
    statements: tuple[Statement, ...]

    @property
    def first(self) -> Finding:
        """The finding whose words stand for all."""
        return self.findings[0]

    @property
    def calls(self) -> int:
        """Planned calls of all findings."""
        return sum(finding.calls for finding in self.findings)

    @property
    def places(self) -> list[str]:
        """The places of all findings, each once."""
        return list(dict.fromkeys(finding.place for finding in self.findings))

    @property
    def since(self) -> str:
        """The editions of the pages."""
        return ", ".join(dict.fromkeys(finding.since for finding in self.findings))

    @property
    def device(self) -> str:
        """What the device does, each answer once."""
        return "; ".join(filter(None, dict.fromkeys(finding.device for finding in self.findings)))


def groups_of(document: FindingsDocument, family: str, kind: FindingKind) -> list[Group]:
    """Return a family's findings of one kind, those in the same words together."""
    same: dict[object, list[Finding]] = {}
    for finding in document.findings:
        if (finding.family, finding.kind) == (family, kind):
            statements = tuple(statement.text for statement in finding.statements)
            # a note's statement is that of its own row, both statements are the finding itself
            words = statements if len(statements) > 1 or not finding.text else ()
            same.setdefault((finding.text, words, finding.consequence), []).append(finding)
    groups = [
        Group(
            tuple(findings),
            tuple(dict.fromkeys(s for finding in findings for s in finding.statements)),
        )
        for findings in same.values()
    ]
    return sorted(groups, key=lambda group: -group.calls)


def _rows(document: FindingsDocument) -> list[tuple[str, list[int]]]:
    by_family = {
        name: [f for f in document.findings if f.family == name] for name in document.families
    }
    by_family["all"] = list(document.findings)
    return [(name, count_kinds(findings)) for name, findings in by_family.items()]


def _scope(document: FindingsDocument) -> str:
    run = f"; devices as in {document.run}" if document.run else ""
    return (
        f"Edition {document.edition}; calls are those of tier {document.tier} on "
        f"{document.product}{run}."
    )


def render_markdown(
    document: FindingsDocument, families: Sequence[str], *, index: bool, suffix: str = ""
) -> str:
    """Return families as Markdown.

    Args:
        index: Whether the table of all families comes first.
        suffix: The suffix of the families' pages to which the table links; empty if they follow.
    """
    return "\n".join(_markdown(document, families, index=index, suffix=suffix)) + "\n"


def _markdown(
    document: FindingsDocument, families: Sequence[str], *, index: bool, suffix: str
) -> Iterator[str]:
    yield "# What the documents leave open"
    yield from ("", escape(_scope(document)), "")
    if index:
        yield f"| Family | {' | '.join(TITLES.values())} |"
        yield "|---|" + "--:|" * len(KINDS)
        for name, numbers in _rows(document):
            link = f"[{name}]({name}{suffix})" if suffix and name != "all" else name
            yield f"| {link} | {' | '.join(map(str, numbers))} |"
        yield ""
    for family in families:
        for kind in KINDS:
            if groups := groups_of(document, family, kind):
                yield from (f"## {family}: {TITLES[kind].lower()}", "", MEANINGS[kind], "")
                for group in groups:
                    yield from _markdown_group(group)
                yield ""


def _markdown_group(group: Group) -> Iterator[str]:
    first = group.first
    yield f"- **{escape(', '.join(_pages(group)))}**: {escape(first.text)}".rstrip(" :")
    for statement in group.statements:
        explained = (
            f" ({code(f'aclnn-cts explain {statement.clause}')})" if statement.clause else ""
        )
        yield f"  - {escape(statement.text)}; {escape(statement.place)}{explained}"
    if not group.statements:
        yield f"  - place: {escape('; '.join(group.places))}"
    device = f" The device: {escape(group.device)}." if group.device else ""
    facts = f"{counted(group.calls, 'call')}, since {group.since}."
    yield f"  - {first.consequence}{device} {facts}".replace("-  ", "- ")


def _pages(group: Group) -> list[str]:
    return list(dict.fromkeys(finding.page for finding in group.findings))


def render_html(
    document: FindingsDocument, families: Sequence[str], *, index: bool, suffix: str = ""
) -> str:
    """Return families as a self-contained page; arguments as for :func:`render_markdown`."""
    style = page_style()
    sections = [
        (family, kind, groups)
        for family in families
        for kind in KINDS
        if (groups := groups_of(document, family, kind))
    ]
    template = html_templates("aclnn_cts.documents").get_template("documents.html.j2")
    return template.render(
        policy=page_policy(style),
        style=Markup(style),  # noqa: S704 - our own file
        scope=_scope(document),
        rows=_rows(document) if index else [],
        families=families,
        suffix=suffix,
        shown=sections,
        titles=TITLES,
        meanings=MEANINGS,
        pages=_pages,
    )


RENDERERS = {"md": render_markdown, "html": render_html}

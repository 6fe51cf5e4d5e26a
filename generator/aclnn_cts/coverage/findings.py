# SPDX-License-Identifier: Apache-2.0
"""Findings about the documents: contradictions, statuses left open, silences and notes.

Contradictions have three sources: columns of a parameter's row (`contradicted`), terms of a formula
that a page calls equal (the allowance `readings-that-differ`), and pairs of value clauses whose
outcomes exclude each other on an element of some planned call.
"""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Literal, TypeAlias, get_args

from aclnn_cts.coverage.clause_coverage import ClauseCoverage
from aclnn_cts.spec.clause_models import ErrorClause, ValueClause, Where
from aclnn_cts.spec.data_types import status_name
from aclnn_cts.spec.editions import CURRENT
from aclnn_cts.spec.expression import Expression, name_of
from aclnn_cts.spec.loading import SpecSet, editions_of, load_specs
from aclnn_cts.spec.models import READINGS, AttributeParameter, OperatorSpec, TensorParameter
from aclnn_cts.spec.parameter_clauses import PRODUCT_SUPPORT, all_clause_texts, clause_id, place
from aclnn_cts.suite import Suite

FindingKind: TypeAlias = Literal["contradiction", "status", "silence", "note"]
KINDS: tuple[FindingKind, ...] = get_args(FindingKind)


@dataclass(frozen=True)
class Statement:
    """A statement of a page, in the spec's words.

    Attributes:
        clause: The clause that holds it, as `explain` takes it; empty if none does.
    """

    text: str
    place: str
    clause: str = ""


@dataclass(frozen=True)
class Finding:
    """A point that a page leaves open, or on which it contradicts itself.

    Attributes:
        id: Unique; ``OPERATOR/`` and the clauses or the parameter and its column.
        page: Title of the document.
        operators: The operators of the page that it is about.
        place: Place in the document.
        text: What the spec says of it; a note's own words.
        statements: The statements concerned; both clauses or terms of a contradiction, if the spec
            has them.
        consequence: What follows for users.
        calls: Planned calls that test one of the clauses, or in which both are contested. A silence
            or a formula's reading counts all valid calls of its products.
        since: Earliest edition of the page with these statements.
        device: What the device of a run does there; empty if no run says it.
    """

    id: str
    kind: FindingKind
    page: str
    family: str
    operators: tuple[str, ...]
    place: str
    text: str
    statements: tuple[Statement, ...]
    consequence: str = ""
    calls: int = 0
    since: str = ""
    device: str = ""

    @property
    def sentences(self) -> set[str]:
        """The texts that an edition must have, too, to leave the same point open."""
        return {self.text, *(statement.text for statement in self.statements)} - {""}


def count_kinds(findings: Iterable[Finding]) -> list[int]:
    """Return the number of findings of each kind."""
    numbers = Counter(finding.kind for finding in findings)
    return [numbers[kind] for kind in KINDS]


def list_findings(
    suite: Suite, specs: SpecSet, operators: Iterable[str], coverage: Iterable[ClauseCoverage]
) -> tuple[Finding, ...]:
    """Return the findings about some operators, those that touch most planned calls first.

    What a page says alike of its two operators is one finding.

    Args:
        coverage: The clauses of these operators; pairs of value clauses and numbers of calls are
            known for them alone.
    """
    earlier = [load_specs(suite, name) for name in editions_of(suite) if name != CURRENT]
    covered: dict[str, dict[str, ClauseCoverage]] = {}
    for clause in coverage:
        covered.setdefault(clause.promise.operator, {})[clause.promise.clause] = clause
    merged: dict[tuple[object, ...], Finding] = {}
    for name in operators:
        spec = specs.operator(name)
        editions = {
            old.edition: _sentences(old.operators[name]) for old in earlier if name in old.operators
        }
        for finding in _Page(spec, covered.get(name, {})).findings():
            since = (edition for edition, texts in editions.items() if finding.sentences <= texts)
            dated = replace(finding, since=next(since, spec.document.edition))
            statements = tuple((statement.text, statement.place) for statement in dated.statements)
            key = spec.file, dated.kind, dated.place, dated.text, statements
            first = merged.get(key)
            merged[key] = dated if first is None else _merge(first, dated)
    return tuple(
        sorted(merged.values(), key=lambda finding: (-finding.calls, finding.page, finding.id))
    )


def _merge(first: Finding, second: Finding) -> Finding:
    operators = (*first.operators, *second.operators)
    return replace(first, operators=operators, calls=first.calls + second.calls)


def _sentences(spec: OperatorSpec) -> set[str]:
    texts = {text for text, _ in all_clause_texts(spec, ()).values()}
    return texts.union(*(finding.sentences for finding in _Page(spec, {}).findings()))


_UNKNOWN = {
    "direction": ("dtype", "whether the operator writes the tensor"),
    "dtypes": ("dtype", "which data types work"),
    "shape": ("shape", "which shapes work"),
    "rank": ("rank", "which numbers of dimensions work"),
    "formats": ("format", "which formats work"),
    "non_contiguous": ("non-contiguous", "whether a non-contiguous tensor works"),
    "empty": ("empty", "whether an empty tensor works"),
}
"""The kind of clause of each column that may be contradicted, and what callers cannot know then."""

_OUTCOMES = {
    "requirement": "Such a call may be refused with any status, or accepted.",
    "refusal": "Callers cannot rely on a status.",
    "status": "Callers must expect any of several statuses:",
}
"""What follows from an open status, by the basis of the clause."""

_AS_FOR = re.compile(r"^As for (\w+)\.")


@dataclass(frozen=True)
class _Page:
    """What the page of one operator leaves open."""

    spec: OperatorSpec
    coverage: Mapping[str, ClauseCoverage]

    def findings(self) -> Iterator[Finding]:
        for row in self.spec.parameters:
            yield from self._row(row)
        yield from self._readings()
        yield from self._contests()
        for error in self.spec.errors:
            yield from self._error(error)
        for silence in self.spec.not_promised:
            outcome = "any result" if silence.when is not None else "anything"
            yield replace(
                self._finding(silence.id, "silence", silence.text),
                consequence=f"Callers must expect {outcome} there.",
                calls=self._valid_calls(silence.products),
            )

    def _finding(
        self, name: str, kind: FindingKind, text: str, statements: Sequence[Statement] = ()
    ) -> Finding:
        operator, document = self.spec.operator, self.spec.document
        return Finding(
            id=f"{operator}/{name}",
            kind=kind,
            page=document.title,
            family=document.family,
            operators=(operator,),
            place=statements[0].place if statements else document.title,
            text=" ".join(text.split()),
            statements=tuple(statements),
        )

    def _calls(self, clause: str) -> int:
        covered = self.coverage.get(clause)
        return covered.positive + covered.negative if covered else 0

    def _valid_calls(self, products: Sequence[str] | None = None) -> int:
        covered = self.coverage.get(PRODUCT_SUPPORT)
        return sum(
            len(product.positive)
            for product in (covered.products if covered else ())
            if products is None or product.product in products
        )

    def _statement(self, clause: ValueClause | ErrorClause) -> Statement:
        at = place(self.spec, clause.where)
        return Statement(clause.text, at, f"{self.spec.operator}/{clause.id}")

    def _row(self, row: TensorParameter | AttributeParameter) -> Iterator[Finding]:
        item, note = row.item or row.name, self._note(row)
        at = place(self.spec, Where(section="parameters", item=item))
        dtype = clause_id(row.name, "dtype")
        columns = row.contradicted if isinstance(row, TensorParameter) else ()
        for column in columns:
            kind, unknown = _UNKNOWN[column]
            clause = clause_id(row.name, kind)
            source = self._texts.get(clause)
            statements = [Statement(*source, f"{self.spec.operator}/{clause}")] if source else []
            text = note or self._note(self.spec.parameter(self.spec.dtype_root(row.name)))
            yield replace(
                self._finding(f"{row.name}+{column}", "contradiction", text, statements),
                place=f"{at}, {column.replace('_', ' ')}",
                consequence=f"Callers cannot know {unknown}.",
                calls=self._calls(clause if source else dtype),
            )
        if note and not columns:
            calls = self._calls(dtype) if dtype in self._texts else self._valid_calls()
            finding = self._finding(f"{row.name}+note", "note", note)
            yield replace(finding, place=at, calls=calls)

    @cached_property
    def _texts(self) -> Mapping[str, tuple[str, str]]:
        return all_clause_texts(self.spec, ())

    def _note(self, row: TensorParameter | AttributeParameter) -> str:
        """Return a row's note; a reference to another row's is replaced by that."""
        names = {parameter.name: parameter for parameter in self.spec.parameters}
        note = " ".join((row.note or "").split())
        return _AS_FOR.sub(lambda m: self._note(names[m[1]]) if m[1] in names else m[0], note)

    def _readings(self) -> Iterator[Finding]:
        why = next((p.why for p in self.spec.precision if READINGS in p.allowances), None)
        if why is None:
            return
        pairs = [
            (f"{name}+readings", [Statement(self._term(argument), at) for argument in node.args])
            for name, expression in self.spec.formula.items()
            for at in [f"{self.spec.document.title}, function, formula of {name}"]
            for node in ast.walk(expression.tree)
            if isinstance(node, ast.Call) and name_of(node) == "readings"
        ]
        for name, terms in pairs or [("readings", [])]:
            yield replace(
                self._finding(name, "contradiction", why, terms),
                consequence="Two right devices may return different numbers.",
                calls=self._valid_calls(),
            )

    def _term(self, node: ast.expr) -> str:
        if isinstance(node, ast.Name) and node.id in self.spec.formula:
            node = self.spec.formula[node.id].tree
        return ast.unparse(_PageWriter(self.spec.derived).visit(copy.deepcopy(node)))

    def _contests(self) -> Iterator[Finding]:
        for one, other in combinations(self.spec.clauses, 2):
            first, second = (self.coverage.get(clause.id) for clause in (one, other))
            if first is None or second is None or other.id not in first.clashes:
                continue
            both = (
                {(p.product, case) for p in coverage.products for case in p.contests.cases}
                for coverage in (first, second)
            )
            statements = [self._statement(clause) for clause in (one, other)]
            yield replace(
                self._finding(f"{one.id}+{other.id}", "contradiction", "", statements),
                consequence="Callers must expect either outcome where both apply.",
                calls=len(set.intersection(*both)),
            )

    def _error(self, error: ErrorClause) -> Iterator[Finding]:
        covered = self.coverage.get(error.id)
        calls = covered.negative if covered else 0
        note, statements = error.note or "", [self._statement(error)]
        if len(error.statuses) != 1:
            outcome = _OUTCOMES[error.basis]
            if error.basis == "status":
                outcome += f" {' or '.join(map(status_name, error.statuses))}."
            finding = self._finding(error.id, "status", note, statements)
            yield replace(finding, consequence=outcome, calls=calls)
        elif note:
            finding = self._finding(f"{error.id}+note", "note", note, statements)
            yield replace(finding, calls=calls)


class _PageWriter(ast.NodeTransformer):
    """Writes a term as the page does: without names of derived values, and in its first form."""

    def __init__(self, derived: Mapping[str, Expression]) -> None:
        self._derived = derived

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._derived[node.id].tree if node.id in self._derived else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return node.args[0] if name_of(node) == "equal_forms" else node

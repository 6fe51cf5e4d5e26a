# SPDX-License-Identifier: Apache-2.0
"""Mutants of Python modules, made by mutmut's operators.

mutmut itself mutates functions without decorators only, and maps tests to functions. Its operators
are applied here to all code of a module: properties and constants, too.

What makes no other program is left out, by rule and not one by one: docstrings, annotations, names
of types (``Mask = npt.NDArray[np.bool_]``), and the words of messages (strings with a space,
f-strings, and whatever a ``raise`` says).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import libcst as cst
from libcst.metadata import MetadataWrapper, WhitespaceInclusivePositionProvider
from mutmut.mutation.mutators import mutation_operators

from tools.mutation.mutants import Mutant, mutant_of

_LEFT_ALONE = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom, cst.Raise)

_NEVER_CALLED_WITHOUT = frozenset({"len", "isinstance"})
"""mutmut leaves their arguments alone: each change of them raises TypeError."""


def mutants_of(root: Path, file: str) -> list[Mutant]:
    """Return the mutants of a module, in the order of its text, each text once.

    Args:
        root: The root of the suite.
        file: The module, below the root.
    """
    original = (root / file).read_text()
    essence, aliases = _essence(original), set(_alias_lines(original))
    mutants: dict[str, Mutant] = {}
    for changed in changed_texts(original):
        if changed not in mutants and _essence(changed) not in (essence, None):
            mutants[changed] = mutant_of(file, original, changed)
    real = (mutant for mutant in mutants.values() if mutant.line not in aliases)
    return sorted(real, key=lambda mutant: mutant.line)


def changed_texts(original: str) -> Iterator[str]:
    """Yield all texts that one application of one of mutmut's operators makes of a module."""
    wrapper = MetadataWrapper(cst.parse_module(original), unsafe_skip_copy=True)
    module = wrapper.module
    places = wrapper.resolve(WhitespaceInclusivePositionProvider)
    starts = [0, *accumulate(len(line) for line in original.splitlines(keepends=True))]
    for node in _nodes(module):
        place = places.get(node)
        if place is None:  # an operator's own node: mutated with the expression around it
            continue
        first = starts[place.start.line - 1] + place.start.column
        end = starts[place.end.line - 1] + place.end.column
        for kind, operator in mutation_operators:
            if isinstance(node, kind):
                for mutated in operator(node):
                    yield original[:first] + module.code_for_node(mutated) + original[end:]


def _nodes(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the nodes that may be mutated, in the order of the text."""
    if isinstance(node, _LEFT_ALONE):
        return
    called = node.func if isinstance(node, cst.Call) else None
    if isinstance(called, cst.Name) and called.value in _NEVER_CALLED_WITHOUT:
        return
    yield node
    for child in node.children:
        yield from _nodes(child)


_TYPES = frozenset({"Callable", "Literal", "Mapping", "NDArray"})


def _alias_lines(source: str) -> Iterator[int]:
    """Yield the lines on which a module gives a type a name, which only annotations use."""
    for node in ast.parse(source).body:
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if isinstance(value, ast.Subscript):
            base = value.value
            name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
            if name in _TYPES:
                yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _essence(source: str) -> str | None:
    """Return what the interpreter sees of a source text; None if it is not code."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None
    return ast.dump(_Wordless().visit(tree))


class _Wordless(ast.NodeTransformer):
    """Takes docstrings, annotations and the words of messages away."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Take an f-string's words and what they quote."""
        return ast.copy_location(ast.Constant("words"), node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Take a string with a space."""
        if isinstance(node.value, str) and " " in node.value:
            return ast.copy_location(ast.Constant("words"), node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """Take a parameter's annotation."""
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Take a variable's annotation."""
        node.annotation = ast.Name("annotation")
        return self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        """Take what is raised."""
        return ast.copy_location(ast.Raise(), node)

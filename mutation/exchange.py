# SPDX-License-Identifier: Apache-2.0
"""Putting a mutant's code in the place of a module's, in a process that has imported it already."""

from __future__ import annotations

import ast
import functools
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FunctionType, ModuleType


def module_name(file: str) -> str:
    """Return the name under which a file below the source root ``generator/`` is imported."""
    return file.removeprefix("generator/").removesuffix(".py").replace("/", ".")


def function_around(source: str, line: int) -> range | None:
    """Return the lines of the outermost function that holds a line; None if none does.

    Decorators and the words of a signature count as the function's.
    """
    for node in _outermost(ast.parse(source).body):
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        if first <= line <= (node.end_lineno or first):
            return range(first, (node.end_lineno or first) + 1)
    return None


def _outermost(body: Sequence[ast.stmt]) -> Iterator[ast.FunctionDef]:
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _outermost(node.body)


def exchange(name: str, source: str) -> None:
    """Give the functions of an imported module the code of another text of the same module.

    Whoever has imported a function by its name runs the new code, too.

    Args:
        name: The module's name.
        source: The text; it differs inside of functions only.
    """
    module = sys.modules[name]
    changed = ModuleType(name)
    changed.__dict__.update(__package__=module.__package__, __file__=module.__file__)
    code = compile(source, module.__file__ or name, "exec")
    sys.modules[name] = changed  # dataclasses look their module up
    try:
        exec(code, changed.__dict__)  # noqa: S102
    finally:
        sys.modules[name] = module
    theirs = dict(_functions(changed, name, ""))
    for path, function in _functions(module, name, ""):
        other = theirs[path]
        function.__code__ = other.__code__
        function.__defaults__ = other.__defaults__
        function.__kwdefaults__ = other.__kwdefaults__


def _functions(holder: object, module: str, path: str) -> Iterator[tuple[str, FunctionType]]:
    """Yield the functions that a module, or a class of it, defines, by their paths."""
    for key, value in list(vars(holder).items()):
        if inspect.isclass(value) and value.__module__ == module:
            yield from _functions(value, module, f"{path}{key}.")
            continue
        function = _plain(value)
        if function is not None and function.__module__ == module:
            yield f"{path}{key}", function


def _plain(value: object) -> FunctionType | None:
    """Return the function behind a method, a property or a cache; None if it is none."""
    if isinstance(value, (classmethod, staticmethod)):
        value = value.__func__
    elif isinstance(value, property):
        value = value.fget
    elif isinstance(value, functools.cached_property):
        value = value.func
    value = inspect.unwrap(value) if callable(value) else value
    return value if isinstance(value, FunctionType) else None


class Replaced(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from another text; to be put before the other finders."""

    def __init__(self, name: str, path: Path, source: str) -> None:
        self._name, self._path, self._source = name, path, source

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of the one module."""
        del path, target
        if fullname != self._name:
            return None
        return importlib.util.spec_from_file_location(fullname, self._path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        """Run the text, whatever compiled code of the module there is."""
        exec(compile(self._source, str(self._path), "exec"), module.__dict__)  # noqa: S102

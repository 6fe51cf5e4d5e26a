# SPDX-License-Identifier: Apache-2.0
"""What the suite knows of a kind of violation.

A kind sees specs and calls only through the objects that it is given, because the models of specs
are made of kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, TypeVar

if TYPE_CHECKING:
    from aclnn_cts.plan.calls import Call, Twin
    from aclnn_cts.spec.clause_models import ErrorClause
    from aclnn_cts.spec.expression import Expression
    from aclnn_cts.spec.models import AttributeParameter, OperatorSpec, TensorParameter
    from aclnn_cts.violations.rows import Row

_Key = TypeVar("_Key", bound=Hashable)
_Parameter = TypeVar("_Parameter", bound="TensorParameter | AttributeParameter")

Change: TypeAlias = dict[str, Any]
"""Facts that differ from the twin's."""

Setting: TypeAlias = Literal["negative", "left-out", "other"]
"""Kinds of attribute values beside which calls are wrong: a negative integer unlike the ordinary
one, a list without numbers, and others."""


@dataclass(frozen=True)
class Broken:
    """A change that breaks a valid call.

    Attributes:
        parameter: The wrong parameter, the first one of several; empty if none is.
        detail: What is wrong, for the case's id.
        change: The facts that differ from the twin's.
        is_alone: Whether the parameters that would follow the wrong one keep the twin's facts.
    """

    parameter: str
    detail: str
    change: Change
    is_alone: bool = False


Form: TypeAlias = Literal[
    "word", "number", "text", "code", "shape", "names", "types", "type of", "formats",
    "product", "products", "table",
]  # fmt: skip
Argument: TypeAlias = tuple[Form, Any]
"""An argument of a check, and what it is in C++."""


@dataclass(frozen=True)
class Check:
    """A check of the simulated device, which calls a function ``Require...``.

    Attributes:
        function: The end of the function's name.
        names: The parameters that it checks, its first argument; none if that is among the others.
        arguments: The other arguments.
        reads: Names beside those of parameters on which its result depends.
        when: The condition for the calls that it checks.
        on: The products on which it checks calls; all if None.
    """

    function: str
    names: tuple[str, ...] = ()
    arguments: tuple[Argument, ...] = ()
    reads: frozenset[str] = frozenset()
    when: Expression | None = None
    on: tuple[str, ...] | None = None


class Kind:
    """A kind of violation, which error clauses state by its key.

    Attributes:
        key: The key in specs.
        description: The key's description.
        form: The key's value: names of parameters, assignments, or true.
        further: Further keys with their types and fields, which only this kind allows.

        id: The usual id of a clause.
        column: Where a requirement usually is among the parameters.
        refused: The text of a refusal.
        required: The text of a requirement on all parameters together.
        compared: The text of a requirement on each parameter, as :meth:`requirement` returns it.

        covers: The requirements that a clause covers: kinds of those on its parameters, all rules,
            or the support of the product.
        kinds: The kinds of requirements on parameters.
        adds: The kind of requirement that a clause itself makes.
        promotes: Whether a clause is about the data type that parameters have in common.
        needs_support: Whether that data type must be a supported one.
        converts: Whether it is about the conversion of that type.

        needs_given: Whether a null pointer cannot break a clause.
        is_of_shapes: Whether wrong calls are tried beside twins of several ranks.
        is_of_dtypes: Whether they are tried beside twins of all data types.
        is_of_integers: Whether they are also tried beside a twin of integers.
        is_sampled: Whether smoke holds only some of a contract operator's wrong calls.
        is_once: Whether one wrong call per parameter is enough beside another attribute value.
        status: The status with which the simulated device's checks reject calls by themselves.
        status_of: The kind whose statuses a check gives if no clause of its own kind states one.
        has_neighbours: Whether wrong calls have shapes near the right one, so that smoke holds
            only some of them beside further twins.
    """

    key: ClassVar[str]
    description: ClassVar[str]
    form: ClassVar[Literal["names", "assignments", "true"]] = "names"
    further: ClassVar[Mapping[str, tuple[Any, Any]]] = {}

    id: ClassVar[str | None] = None
    column: ClassVar[str | None] = None
    refused: ClassVar[str | None] = None
    required: ClassVar[str | None] = None
    compared: ClassVar[str | None] = None

    covers: ClassVar[Literal["parameters", "rules", "product"]] = "parameters"
    kinds: ClassVar[tuple[str, ...]] = ()
    adds: ClassVar[str | None] = None
    promotes: ClassVar[bool] = False
    needs_support: ClassVar[bool] = False
    converts: ClassVar[bool] = False

    needs_given: ClassVar[bool] = True
    is_of_shapes: ClassVar[bool] = False
    is_of_dtypes: ClassVar[bool] = False
    is_of_integers: ClassVar[bool] = False
    is_sampled: ClassVar[bool] = False
    is_once: ClassVar[bool] = True
    status: ClassVar[str] = "ACLNN_ERR_PARAM_INVALID"
    status_of: ClassVar[str | None] = None
    has_neighbours: ClassVar[bool] = False

    def id_of(self, row: Row) -> str | None:
        """Return the id of a row's clause, if the row states none."""
        del row
        return self.id

    def requirement(self, row: Row, name: str) -> object:
        """Return what :attr:`compared` says that a parameter must have."""
        raise NotImplementedError

    def derived_value(self, row: Row) -> Any:
        """Return the value of the key that follows from the tables, for a derived clause."""
        raise NotImplementedError

    def derived_products(self, row: Row) -> list[str] | None:
        """Return the products on which a derived clause holds; None for all."""
        del row
        return None

    def breakable(self, spec: OperatorSpec) -> set[str]:
        """Return the parameters that a clause may name."""
        return {tensor.name for tensor in spec.tensors}

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        """Yield the changes of a valid call that break a clause."""
        raise NotImplementedError

    def breaking(self, call: Call, error: ErrorClause) -> Iterator[str]:
        """Yield which of a clause's parameters break it in a call."""
        return (
            name
            for name in error.names
            if not call.is_null(name) and self.is_wrong(call, error, name)
        )

    def is_wrong(self, call: Call, error: ErrorClause, name: str) -> bool:
        """Whether a parameter that a call gives breaks a clause."""
        raise NotImplementedError

    def holds(self, call: Call, error: ErrorClause) -> bool:
        """Whether a call to which a clause applies breaks it."""
        return any(self.breaking(call, error))

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        """Yield the checks of the simulated device that find this violation."""
        del spec
        yield from ()

    def is_tried_beside(self, setting: Setting, error: ErrorClause) -> bool:
        """Whether a clause is broken beside another attribute value, too."""
        return error.basis == "status" or setting == "negative"


def names_by(
    parameters: Iterable[_Parameter], key: Callable[[_Parameter], _Key | None]
) -> Mapping[_Key, tuple[str, ...]]:
    """Return the names of parameters by key, without those that have none."""
    groups: dict[_Key, tuple[str, ...]] = {}
    for parameter in parameters:
        if (group_key := key(parameter)) is not None:
            groups[group_key] = (*groups.get(group_key, ()), parameter.name)
    return groups


def with_and_without_followers(
    at: Twin, broken: Broken, aspect: Literal["dtype", "shape"]
) -> Iterator[Broken]:
    """Yield a change, and the same change with the twin's types or shapes for its followers.

    If the followers change, too, a device may refuse the call because of one of them, without
    checking the tensor itself.
    """
    followers = at.follower_facts(broken.change, aspect)
    change = {**broken.change, **followers}
    if not at.can_be_bound(broken.change):
        yield Broken(broken.parameter, broken.detail, change)
        return
    yield broken
    if followers:
        yield Broken(broken.parameter, f"{broken.detail}_alone", change, is_alone=True)

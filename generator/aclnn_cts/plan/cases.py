# SPDX-License-Identifier: Apache-2.0
"""Cases: calls of an operator, with all data that later layers need.

Their JSON form is exact.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from aclnn_cts.spec.clause_models import Basis
from aclnn_cts.spec.data_types import DATA_TYPES, DataType, status_name

AttributeValue: TypeAlias = float | int | bool | str | tuple[float | int | bool, ...] | None
Value = TypeVar("Value")
Tier: TypeAlias = Literal["smoke", "standard", "full"]
TIERS: tuple[Tier, ...] = get_args(Tier)


TurnVariant: TypeAlias = Literal[
    "moved-addresses",
    "captured",
    "other-thread",
    "four-threads",
    "default-stream",
    "shared-workspace",
]
SoakVariant: TypeAlias = Literal["many-planned", "many-calls", "among-others"]
ExecutionVariant: TypeAlias = Literal[
    "second-stream",
    "kept-workspace",
    "after-others",
    "in-flight",
    "planned-between",
    "repeatable-executor",
    TurnVariant,
    SoakVariant,
]
"""How a call is repeated: on another stream; with the workspace of the previous call, as it was
left; after another operator; launched between two other calls of its operator before waiting for
any of them; with another call of its operator planned between its phases; by one repeatable
executor that was launched before with other data; by one whose tensors were moved to other
addresses; captured, and executed again and again; planned in one thread and launched in another; at
once in four threads; on the default stream; with the workspace that its neighbours on the stream
use, too; with many others planned between its phases; many times in a row, with the same tensor
handles; after each of several other operators, half of which also ran before the first call."""

SOAK_VARIANTS: tuple[ExecutionVariant, ...] = get_args(SoakVariant)
"""Those that the case of the scene :data:`SOAK` tries, because they take longer."""

TURN_VARIANTS: tuple[ExecutionVariant, ...] = get_args(TurnVariant)
"""Those that the cases of the scene :data:`STATE` try in turn."""

EXECUTION_VARIANTS: tuple[ExecutionVariant, ...] = tuple(
    each for each in get_args(ExecutionVariant) if each not in (*SOAK_VARIANTS, *TURN_VARIANTS)
)
"""Those that each case of the scene :data:`STATE` tries."""

COPIES: dict[ExecutionVariant, int] = {
    "in-flight": 3,
    "moved-addresses": 3,
    "four-threads": 4,
    "shared-workspace": 2,
}
"""How many times execution variants need the memory of a call; the others once."""

DECOYED: tuple[ExecutionVariant, ...] = ("in-flight", "planned-between", "many-planned")
"""The execution variants that need another call of the same operator."""

ACLNN_SUCCESS = 0

INTEGER_FILLS = ("bits", "bits-padding")
"""The kinds of data for integer types only."""

CONSTANT_FILLS = ("zeros", "ones")
"""The kinds of data for all types; in integers, ``ones`` sets every bit."""

BETWEEN, BELL, NAN = "between", "bell", "nan"
"""The kinds of data for call lists only: uniform between two bounds, normal with a mean and a
deviation, and NaN."""


@dataclass(frozen=True, slots=True)
class Fill:
    """How the data of an input are made.

    Attributes:
        kind: One of the kinds in :mod:`aclnn_cts.golden.data_kinds`.
        thresholds: For ``around-thresholds`` the values to surround, for ``between`` the bounds,
            for ``bell`` mean and deviation, for rows the axes along which they lie.
        seed: Seed text of the generator; equal seeds give equal data.
    """

    kind: str
    thresholds: tuple[float, ...] = ()
    seed: str = ""

    def __str__(self) -> str:
        """Return the kind, with bounds or moments if it has any."""
        if self.kind not in (BETWEEN, BELL):
            return self.kind
        low, high = self.thresholds
        if self.kind == BELL:
            return f"normal with mean {low:g} and deviation {high:g}"
        return f"{high:g}" if low == high else f"between {low:g} and {high:g}"


@dataclass(frozen=True, slots=True)
class TensorCase:
    """One tensor of a call.

    Attributes:
        name: The parameter's name in the prototype; a member of a list also has its place, as
            ``x[0]``. A list for which a null pointer is passed has no members.
        role: ``input``, ``output``, or ``inout`` for an input over which the result is written.
        shape: View shape, elements.
        strides: View strides, elements.
        offset: First element's distance from the start of the storage, elements.
        storage: Storage shape, elements.
        layout: The name of the layout, such as ``contiguous`` or ``transposed``.
        source: ``data`` (an input with a fill), ``output``, ``null`` (a null pointer is passed) or
            ``producer`` (another operator's output).
        fill: How the data of an input are made.
        shares: The earlier input in whose storage this one is; None if it has its own. It is the
            same elements with the same data, or other ones.
    """

    name: str
    role: Literal["input", "output", "inout"]
    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    storage: tuple[int, ...]
    format: str
    layout: str
    source: Literal["data", "output", "null", "producer"]
    fill: Fill | None = None
    shares: str | None = None

    @property
    def parameter(self) -> str:
        """The parameter that it belongs to: itself, or the list of which it is a member."""
        return self.name.partition("[")[0]

    @property
    def place(self) -> int | None:
        """Its place in its list; None outside a list."""
        return int(self.name[:-1].partition("[")[2]) if self.name.endswith("]") else None

    @property
    def data_type(self) -> DataType:
        return DATA_TYPES[self.dtype]

    @property
    def numel(self) -> int:
        """Elements of the view."""
        return math.prod(self.shape)


BATCH = "batch"
"""The scene of calls with the same samples in batches of other sizes, in another order."""

STATE = "state"
"""The scene of calls that run in all of :data:`EXECUTION_VARIANTS`."""

SOAK = "soak"
"""The scene of the call that is made many times; each operator has one."""


@dataclass(frozen=True, slots=True)
class Case:
    """One call of one operator on one product.

    Attributes:
        id: Readable and stable; depends only on the case's content.
        product: The product whose promises the case tests.
        scene: The purpose of the case: ``pairs``, ``empty``, ``special`` …, or the error clause's
            id.
        tier: The lowest tier that holds the case.
        tensors: In prototype order.
        attributes: Values by name, in prototype order; those of a list of scalars are a tuple.
        statuses: The accepted statuses of phase one: ``(0,)`` for a valid call, none if either
            phase may return any status but 0.
        clauses: Ids of the clauses that the call itself exercises (data types, layouts, errors …);
            value clauses follow from the data.
        twin: For a negative case: the id of its passing twin, from which it differs only in what is
            wrong.
        basis: For a negative case: the documents' statement about such a call, see
            :data:`aclnn_cts.spec.clause_models.Basis`.
        refused_by: For a negative case: ids of the error clauses with that basis, its scene's
            first.
        is_launched: Whether phase two follows if phase one accepts the call. A call without a
            promised outcome is not launched, because it could harm the device.
        names: Dimensions and derived scalars of the case, and values of absent attributes, by name.
        deterministic: Whether determinism is switched on for the call.
        batch_level: The level of determinism that is set instead, so that batches are consistent;
            0 for none.
        again: Execution variants of runs after the two ordinary runs.
        scalars: Data types of scalars and of lists of these, by name.
        count: How often a recorded program made the call.
    """

    id: str
    operator: str
    product: str
    scene: str
    tier: Tier
    tensors: tuple[TensorCase, ...]
    attributes: Mapping[str, AttributeValue]
    statuses: tuple[int, ...]
    clauses: tuple[str, ...]
    twin: str | None = None
    basis: Basis | None = None
    refused_by: tuple[str, ...] = ()
    is_launched: bool = True
    names: Mapping[str, AttributeValue] = field(default_factory=dict)
    deterministic: bool = False
    batch_level: int = 0
    again: tuple[ExecutionVariant, ...] = ()
    scalars: Mapping[str, str] = field(default_factory=dict)
    count: int = 1

    def __post_init__(self) -> None:
        """Raise ValueError if a tensor shares the storage of one that does not precede it."""
        for place, tensor in enumerate(self.tensors):
            owner = tensor.shares
            if owner is not None and all(earlier.name != owner for earlier in self.tensors[:place]):
                raise ValueError(f"{tensor.name} shares the storage of no earlier tensor")

    @property
    def values(self) -> dict[str, Any]:
        """All attributes and names; an absent attribute has its default value."""
        return {**self.attributes, **self.names}

    @property
    def determinism_level(self) -> int:
        """The level of determinism that is set for the call."""
        return self.batch_level or int(self.deterministic)

    @property
    def digest(self) -> str:
        """The part of the id that identifies the case's content: equal calls have equal digests."""
        return self.id.rsplit(".", 1)[1]

    @property
    def elements(self) -> int:
        return sum(tensor.numel for tensor in self.tensors)

    @property
    def expects_success(self) -> bool:
        """Whether the call must work."""
        return ACLNN_SUCCESS in self.statuses

    @property
    def required_status(self) -> str:
        """The required status of phase one, in words."""
        statuses = (f"{status_name(code)} ({code})" for code in self.statuses)
        return " or ".join(statuses) or "any error status"

    @property
    def inputs(self) -> tuple[TensorCase, ...]:
        return tuple(tensor for tensor in self.tensors if tensor.role != "output")

    @property
    def outputs(self) -> tuple[TensorCase, ...]:
        return tuple(tensor for tensor in self.tensors if tensor.role != "input")

    def tensor(self, name: str) -> TensorCase:
        """Return the tensor of that name; KeyError if there is none."""
        for tensor in self.tensors:
            if tensor.name == name:
                return tensor
        raise KeyError(name)

    def members(self, parameter: str) -> tuple[TensorCase, ...]:
        """Return the tensors of a parameter: one, or those of a list."""
        return tuple(tensor for tensor in self.tensors if tensor.parameter == parameter)

    @property
    def lengths(self) -> dict[str, int]:
        """The numbers of tensors or scalars in lists, by parameter."""
        tensors = Counter(each.parameter for each in self.tensors if each.place is not None)
        values = ((name, self.attributes.get(name)) for name in self.scalars)
        return tensors | {name: len(each) for name, each in values if isinstance(each, tuple)}

    @property
    def slices(self) -> tuple[Slice, ...]:
        """The calls of single tensors of which it consists; only itself without lists.

        If lists differ in length, what the longer ones have beyond the shortest is in none.
        """
        if not (lengths := self.lengths):
            return (Slice(self, {tensor.name: tensor.name for tensor in self.tensors}),)
        return tuple(map(self._slice, range(min(lengths.values()))))

    def slice_of(self, name: str) -> Slice:
        """Return the call of single tensors to which a tensor belongs."""
        return next(each for each in self.slices if name in each.names.values())

    def _slice(self, place: int) -> Slice:
        tensors = [each for each in self.tensors if each.place in (None, place)]
        names = {each.parameter: each.name for each in tensors}
        alone = tuple(
            replace(each, name=each.parameter, shares=each.shares and each.shares.partition("[")[0])
            for each in tensors
        )
        attributes = {
            name: value[place] if name in self.scalars and isinstance(value, tuple) else value
            for name, value in self.attributes.items()
        }
        return Slice(replace(self, tensors=alone, attributes=attributes), names)

    def elements_of(self, tensor: TensorCase) -> TensorCase:
        """Return the tensor whose elements a tensor is: itself, or the owner of its storage."""
        owner = tensor if tensor.shares is None else self.tensor(tensor.shares)
        return owner if owner.offset == tensor.offset else tensor


@dataclass(frozen=True, slots=True)
class Slice:
    """The call of the members at one place of all lists, and of the parameters that are no lists.

    Attributes:
        case: The call, whose tensors have the names of their parameters.
        names: The names of its tensors in the whole call, by parameter.
    """

    case: Case
    names: Mapping[str, str]

    def of(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """Return the values of its tensors by parameter, from those of the whole call's tensors."""
        return {own: values[name] for own, name in self.names.items() if name in values}


@dataclass(frozen=True)
class Intent:
    """The purpose of a case.

    Attributes:
        scene: The scene's name, or the error clause's id.
        tier: The lowest tier that holds the case.
        is_valid: Whether the call must work.
        detail: What the scene is about, for the id (``dy``, ``scale_0.5``).
        twin: For a negative case: the id of its passing twin.
        again: Execution variants of further runs.
        deterministic: Whether to switch determinism on; None leaves it to the case's digest.
    """

    scene: str
    tier: Tier
    is_valid: bool = True
    detail: str = ""
    twin: str | None = None
    again: tuple[ExecutionVariant, ...] = ()
    deterministic: bool | None = None


def token(value: Any) -> str:
    """Return a value as a case id shows it."""
    if isinstance(value, tuple | list):
        return "x".join(str(item) for item in value) or "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    text = "null" if value is None else str(value)
    return re.sub(r"[^A-Za-z0-9.+-]+", "-", text) or "empty"


def case_to_json(case: Case) -> dict[str, Any]:
    """Return a case as JSON values; floating numbers as C99 hexadecimal text, which is exact."""
    data = fields_of(case)
    data["attributes"] = {name: _encode(value) for name, value in case.attributes.items()}
    data["names"] = {name: _encode(value) for name, value in case.names.items()}
    data["tensors"] = [tensor_to_json(tensor) for tensor in case.tensors]
    return data


def tensor_to_json(tensor: TensorCase) -> dict[str, Any]:
    data = fields_of(tensor)
    if tensor.fill is not None:
        data["fill"] = fields_of(tensor.fill)
        data["fill"]["thresholds"] = [x.hex() for x in tensor.fill.thresholds]
    return data


def fields_of(item: Case | TensorCase | Fill) -> dict[str, Any]:
    """Return the fields without copies; dataclasses.asdict is slow for many cases.

    Only tensors that share a storage have the field ``shares``, so that digests of others stay, and
    only recorded cases have a ``count``.
    """
    values = {name: getattr(item, name) for name in _FIELDS[type(item)]}
    if values.get("shares", "") is None:
        del values["shares"]
    if values.get("count") == 1:
        del values["count"]
    return values


_FIELDS = {kind: tuple(each.name for each in fields(kind)) for kind in (Case, TensorCase, Fill)}


def _encode(value: Any) -> Any:
    if isinstance(value, float):
        return {"double": value.hex()}
    return list(value) if isinstance(value, tuple) else value

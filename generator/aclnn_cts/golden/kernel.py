# SPDX-License-Identifier: Apache-2.0
"""Formulas and clauses of elementwise operators as one compiled loop, for large tensors.

NumPy passes over memory once per operation, and a formula with its errors and clauses has a
hundred. So the same Python code runs once with a :class:`Symbol` for each input, which records the
operations. They become the body of a C++ loop that the host's compiler optimises. The loop uses the
same IEEE operations as NumPy, without contraction, so results are equal bit for bit. Where the code
branches on data (``any``, ``min``, ``max``), a symbol answers so that nothing is left out.
Constants are passed in an array, so calls that differ in an attribute share a library.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import math
import subprocess
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
import numpy.typing as npt
from numpy.lib.mixins import NDArrayOperatorsMixin

from aclnn_cts.cache import register, take
from aclnn_cts.compiler import compiler_path, compiler_version
from aclnn_cts.suite import find_suite

LARGE = 1 << 18
"""Minimum number of elements for which a compiled loop is worth its second of compiling."""

FLAGS = (
    # in C++17 <cmath> has special functions, which take a fifth of the compile time
    *("-std=gnu++14", "-O3", "-march=native", "-shared", "-fPIC"),
    # one rounding per operation, as in NumPy; errno and traps are not used
    *("-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fopenmp-simd"),
)

# conditions are all ones or all zeros in the width of a double, so that compilers vectorise
_TYPES = {"d": "double", "b": "mask", "u": "std::uint64_t"}
_STORED = {
    "float64": "double",
    "bool": "std::uint8_t",
    "uint8": "std::uint8_t",
    "uint64": "std::uint64_t",
}
_BITS = ("uint8", "uint64")
_READ = {
    **_STORED,
    "float32": "float",
    "float16": "float16",
    "bfloat16": "bfloat16",
    "int8": "std::int8_t",
    "int16": "std::int16_t",
    "int32": "std::int32_t",
}
_WIDE = ("float64", "uint64")
"""Data types that a loop, which computes in float64, cannot handle."""

_ERF, _ERFC = np.frompyfunc(math.erf, 1, 1), np.frompyfunc(math.erfc, 1, 1)

RULES = {"+": np.add, "count": np.add, "max": np.fmax, "min": np.fmin, "or": np.bitwise_or}
"""Reductions of numbers, conditions or bits; NaN is neither largest nor least."""

STARTS: Mapping[str, float | int] = {"+": 0.0, "count": 0, "max": 0.0, "min": math.inf, "or": 0}
"""Initial value of each reduction."""

_TOTALS: Mapping[str, type[np.generic]] = {"count": np.int64, "or": np.uint64}
"""Types in which a loop returns totals that are not float64."""


def reduced(rule: str, array: npt.NDArray[Any]) -> Any:
    """Return a rule's reduction of all elements of an array."""
    if array.dtype == np.bool_:
        return int(np.count_nonzero(array))
    found = RULES[rule].reduce(array, initial=STARTS[rule])
    return float(found) if array.dtype.kind == "f" else found.item()


_OPERATIONS: dict[np.ufunc, tuple[str, str]] = {
    np.add: ("d", "({} + {})"),
    np.subtract: ("d", "({} - {})"),
    np.multiply: ("d", "({} * {})"),
    np.true_divide: ("d", "({} / {})"),
    np.negative: ("d", "(-{})"),
    np.absolute: ("d", "std::fabs({})"),
    np.maximum: ("d", "maximum({}, {})"),
    np.minimum: ("d", "minimum({}, {})"),
    np.floor: ("d", "std::floor({})"),
    np.ceil: ("d", "std::ceil({})"),
    np.trunc: ("d", "std::trunc({})"),
    np.rint: ("d", "std::nearbyint({})"),
    np.exp: ("d", "exponential({})"),
    np.expm1: ("d", "std::expm1({})"),
    np.log: ("d", "std::log({})"),
    np.log1p: ("d", "std::log1p({})"),
    np.sqrt: ("d", "std::sqrt({})"),
    np.tanh: ("d", "std::tanh({})"),
    _ERF: ("d", "std::erf({})"),
    _ERFC: ("d", "std::erfc({})"),
    np.greater: ("b", "mask_of({} > {})"),
    np.greater_equal: ("b", "mask_of({} >= {})"),
    np.less: ("b", "mask_of({} < {})"),
    np.less_equal: ("b", "mask_of({} <= {})"),
    np.equal: ("b", "mask_of({} == {})"),
    np.not_equal: ("b", "mask_of({} != {})"),
    np.isnan: ("b", "mask_of({0} != {0})"),
    np.isinf: ("b", "mask_of(std::fabs({}) > DBL_MAX)"),
    np.isfinite: ("b", "mask_of(std::fabs({}) <= DBL_MAX)"),
    np.logical_and: ("b", "({} & {})"),
    np.logical_or: ("b", "({} | {})"),
    np.logical_not: ("b", "(~{})"),
    np.bitwise_and: ("u", "({} & {})"),
    np.bitwise_or: ("u", "({} | {})"),
    np.invert: ("u", "(~{})"),
}


class Symbol(NDArrayOperatorsMixin):
    """A number, condition or set of bits of an element, while a formula is traced.

    Attributes:
        kind: ``d`` for float64, ``b`` for a condition, ``u`` for bits.
    """

    ndim = 1

    def __init__(self, trace: Trace, name: str, kind: str) -> None:
        self.trace = trace
        self.name = name
        self.kind = kind

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """Record an operation."""
        if ufunc is np.power and inputs[1] == 2:
            ufunc, inputs = np.multiply, (inputs[0], inputs[0])
        # `a &= b` passes a as `out`; the statement then rebinds the name to the new symbol
        in_place = isinstance(options.pop("out", (self,))[0], Symbol)
        if method != "__call__" or options or not in_place or ufunc not in _OPERATIONS:
            return NotImplemented
        kind, text = _OPERATIONS[ufunc]
        kinds = {value.kind for value in inputs if isinstance(value, Symbol)}
        if kind == "u" and "b" in kinds:
            # NumPy treats True as 1 among bits
            if not all(getattr(each, "dtype", type(each)) in (bool, np.bool_) for each in inputs):
                raise TypeError("a condition cannot be combined with bits")
            kind = "b"
        elif ufunc is np.multiply and "d" not in kinds:
            # bits where a condition holds
            kind, text = "u", "({} & {})"
        wanted = kind
        if kind == "b" and "d" in kinds:
            wanted = "d"
        elif kind == "b" and "u" in kinds:
            wanted = "u"
        return self.trace.record(kind, text, [self.trace.text(each, wanted) for each in inputs])

    def __array_function__(
        self,
        function: Callable[..., Any],
        types: object,
        arguments: Sequence[Any],
        options: Mapping[str, Any],
    ) -> Any:
        """Record ``where``; answer ``any`` and ``max`` so that nothing is left out."""
        del types, options
        if function is np.any:
            return True
        if function is np.ndim:
            return 1
        if function is np.max:
            return math.nan
        if function is np.zeros_like:
            return np.zeros(())
        if function is not np.where:
            return NotImplemented
        condition, *choices = arguments
        found = next((each for each in choices if isinstance(each, Symbol)), None)
        kind = "u" if found is None else found.kind
        if found is None and all(np.asarray(each).dtype.kind == "f" for each in choices):
            kind = "d"
        texts = [self.trace.text(each, kind) for each in choices]
        return self.trace.record(
            kind, "select({}, {}, {})", [self.trace.text(condition, "b"), *texts]
        )

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the array that the symbol represents."""
        return np.dtype({"d": np.float64, "b": np.bool_, "u": np.uint64}[self.kind])

    def __bool__(self) -> bool:
        """Raise: a symbol cannot decide for all elements at once."""
        raise TypeError("a symbol represents many elements")

    def number(self) -> Symbol:
        """Return the element as a number."""
        if self.kind == "d":
            return self
        text = "double({})" if self.kind == "u" else "double({} & 1u)"
        return self.trace.record("d", text, [self.name])

    def power(self) -> Symbol:
        """Return the largest power of two that is not above the magnitude."""
        return self.trace.record("d", "power_of({})", [self.name])

    def inverse_power(self) -> Symbol:
        """Return the inverse of a power of two; both are normal numbers."""
        return self.trace.record("d", "inverse_power({})", [self.name])

    def any(self, *_: object, **__: object) -> bool:
        """Whether it may hold for any element."""
        return True

    def all(self, *_: object, **__: object) -> bool:
        """Whether it holds for all possible elements."""
        return False

    def min(self, *_: object, **__: object) -> float:
        """Return a number for which no comparison holds."""
        return math.nan

    def max(self, *_: object, **__: object) -> float:
        """Return a number for which no comparison holds."""
        return math.nan


def erf(array: Any) -> Any:
    """Return the error function, which NumPy does not have."""
    if not isinstance(array, Symbol) and np.asarray(array).dtype == np.longdouble:
        return _long_erf(np.asarray(array))
    return _in_float64(_ERF, array)


def erfc(array: Any) -> Any:
    """Return 1 less the error function, which keeps its digits where that is nearly 1."""
    if not isinstance(array, Symbol) and np.asarray(array).dtype == np.longdouble:
        far = np.asarray(array)
        return np.where(far < _FAR, 1 - _long_erf(far), _long_tail(np.maximum(far, _FAR)))
    return _in_float64(_ERFC, array)


def _in_float64(function: np.ufunc, array: Any) -> Any:
    return function(array) if isinstance(array, Symbol) else np.asarray(function(array), np.float64)


_FAR = 2.5
"""From here on the continued fraction of the complementary error function converges fast."""

_TERMS = 100
"""Terms of the series below it, and of the fraction beyond, for 64 bits; half would do."""


def _long_erf(x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the error function in 64 bits (Abramowitz and Stegun, 7.1.6: a series without signs).

    Its last few bits may be off.
    """
    near = np.clip(x, -_FAR, _FAR)
    term = total = near * np.exp(-near * near)
    for number in range(1, _TERMS):
        term = term * (2 * near * near / (2 * number + 1))
        total = total + term
    beyond = np.copysign(1 - _long_tail(np.maximum(np.abs(x), _FAR)), x)
    return np.asarray(np.where(np.abs(x) < _FAR, 2 / np.sqrt(_PI) * total, beyond))


def _long_tail(x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the complementary error function of large numbers (Abramowitz and Stegun, 7.1.14)."""
    fraction = x
    for number in range(_TERMS, 0, -1):
        fraction = x + number / 2 / fraction
    return np.asarray(np.exp(-x * x) / (np.sqrt(_PI) * fraction))


_PI = 4 * np.arctan(np.longdouble(1))


@dataclass
class Trace:
    """The operations of a loop's body, in order.

    Attributes:
        inputs: Data types of the arrays that the loop reads, by name.
        of_rows: Definitions of variables for inputs with one element per row, by name.
        copies: Type and value of float64 arrays made from narrower ones, by name.
        constants: Constants of the loop, by their digits, so that 0 and -0 differ.
        statements: Declarations by expression, so that common subexpressions are computed once.
        totals: The totals of each row: reduction (a name of :data:`RULES`) and symbol; ``count`` is
            the sum of a condition.
    """

    inputs: dict[str, str] = field(default_factory=dict)
    of_rows: dict[str, str] = field(default_factory=dict)
    copies: dict[str, tuple[str, str]] = field(default_factory=dict)
    constants: dict[str, float] = field(default_factory=dict)
    statements: dict[str, str] = field(default_factory=dict)
    totals: dict[str, tuple[str, str]] = field(default_factory=dict)

    def input(self, name: str, dtype: str, *, of_row: bool = False) -> Symbol:
        """Return the symbol of an array that the loop reads."""
        if dtype not in _READ:
            raise TypeError(f"loops read no {dtype}")
        number = len(self.inputs)
        element = f"in{number}[{'row' if of_row else 'first + i'}]"
        self.inputs[name] = dtype
        kind, text = "d", f"read({element})"
        if dtype == "bool":
            kind, text = "b", f"mask_of({element} != 0)"
        elif dtype in _BITS:
            kind, text = "u", f"std::uint64_t({element})"
        if of_row:
            self.of_rows[name] = f"{_TYPES[kind]} row{number} = {text}"
            text = f"row{number}"
        elif dtype not in _WIDE:
            self.copies[f"wide{number}"] = _TYPES[kind], text
            text = f"wide{number}[i]"
        return self.record(kind, text, [])

    def element(self, name: str, dtype: str) -> Symbol:
        """Return the symbol of a tensor's elements."""
        if dtype in _WIDE:
            raise TypeError(f"loops read no elements of {dtype}")
        return self.input(name, dtype)

    def record(self, kind: str, text: str, operands: Sequence[str]) -> Symbol:
        expression = text.format(*operands)
        name = f"{kind}{len(self.statements)}"
        declared = self.statements.setdefault(expression, f"{_TYPES[kind]} {name}")
        return Symbol(self, declared.split()[1], kind)

    def total(self, name: str, rule: str, symbol: Any, usual: Any = None) -> None:
        """Make the loop return a rule's reduction of a number, a condition or bits.

        Args:
            name: Name of the total.
            rule: A name of :data:`RULES`.
            usual: Condition for elements that count; all if absent.
        """
        if not isinstance(symbol, Symbol):
            kind = {"or": "u", "+": "b" if isinstance(symbol, bool) else "d"}.get(rule, "d")
            symbol = self.record(kind, self.text(symbol, kind), [])
        if usual is not None:
            nothing = False if symbol.kind == "b" else STARTS[rule]
            symbol = np.where(usual, symbol, nothing)
        self.totals[name] = "count" if symbol.kind == "b" else rule, symbol.name

    @contextlib.contextmanager
    def beside(self) -> Iterator[None]:
        """Discard what is recorded in this context, for a further loop with much in common."""
        kept = {each.name: getattr(self, each.name) for each in fields(self)}
        for name, value in kept.items():
            setattr(self, name, value.copy())
        yield
        for name, value in kept.items():
            setattr(self, name, value)

    def text(self, value: Any, kind: str) -> str:
        """Return the C++ text of a symbol or a number."""
        if isinstance(value, Symbol):
            if kind == "d" != value.kind:
                raise TypeError("a condition or bits do not count as a number here")
            return value.name
        if kind == "b":
            return "~mask()" if bool(value) else "mask()"
        if kind == "u":
            return f"std::uint64_t({int(value)})"
        number = float(value)
        self.constants.setdefault(number.hex(), number)
        return f"c{list(self.constants).index(number.hex())}"


@dataclass(frozen=True)
class Kernel:
    """A compiled loop.

    Attributes:
        function: Takes counts and the addresses of constants, inputs, outputs and totals.
        inputs: Data types of the arrays that it reads, by name.
        of_rows: Inputs with one element per row.
        outputs: Data types of the arrays that it fills, in order.
        totals: Reductions of its totals, by name.
    """

    function: Callable[..., None]
    constants: npt.NDArray[np.float64]
    inputs: Mapping[str, str]
    of_rows: Collection[str]
    outputs: Sequence[str]
    totals: Mapping[str, str] = field(default_factory=dict)

    def fill(
        self, inputs: Mapping[str, npt.NDArray[Any]], outputs: Sequence[npt.NDArray[Any]]
    ) -> dict[str, Any]:
        """Run the loop over contiguous one-dimensional arrays of one length; return its totals."""
        length = next((len(inputs[name]) for name in self.inputs if name not in self.of_rows), 1)
        return self.reduced(self.rows(inputs, outputs, 1, length))

    def reduced(self, totals: Mapping[str, npt.NDArray[Any]]) -> dict[str, Any]:
        """Return totals of rows as those of all elements."""
        return {name: reduced(self.totals[name], own) for name, own in totals.items()}

    def rows(
        self,
        inputs: Mapping[str, npt.NDArray[Any]],
        outputs: Sequence[npt.NDArray[Any]],
        rows: int,
        length: int,
    ) -> dict[str, npt.NDArray[Any]]:
        """Run the loop over rows of one length; return the totals of each.

        It releases the interpreter's lock.
        """
        arrays = [inputs[name] for name in self.inputs]
        types = [*self.inputs.values(), *self.outputs]
        if [array.dtype.name for array in (*arrays, *outputs)] != types:
            raise ValueError("the kernel was compiled for arrays of other types")
        shapes = [(rows,) if name in self.of_rows else (rows * length,) for name in self.inputs]
        shapes += [(rows * length,)] * len(outputs)
        whole = all(array.flags.c_contiguous for array in (*arrays, *outputs))
        if not whole or [array.shape for array in (*arrays, *outputs)] != shapes:
            raise ValueError("the arrays are not contiguous, one-dimensional and of one length")
        read, written = (
            (ctypes.c_void_p * len(each))(*(array.ctypes.data for array in each))
            for each in (arrays, outputs)
        )
        totals = np.zeros((len(self.totals), rows))
        constants, added = (
            ctypes.c_void_p(array.ctypes.data) for array in (self.constants, totals)
        )
        counts = ctypes.c_int64(rows), ctypes.c_int64(length)
        self.function(*counts, constants, read, written, added)
        return {
            name: own.view(_TOTALS.get(rule, np.float64))
            for (name, rule), own in zip(self.totals.items(), totals, strict=True)
        }


def compile_trace(
    trace: Trace, outputs: Sequence[tuple[str, Any]], folder: Path | None = None
) -> Kernel | None:
    """Compile a traced loop; None if the host cannot compile it.

    Args:
        trace: The loop's body.
        outputs: Data type and symbol, or number, of each array that it fills.
        folder: The folder of libraries, by digest of source, compiler and processor; the suite's
            cache if absent.
    """
    folder = folder or find_suite().cache / "kernels"
    kinds = {"float64": "d", "bool": "b", "uint8": "u", "uint64": "u"}
    results = tuple(
        (_STORED[dtype], trace.text(value, kinds[dtype]) + (" & 1u" if dtype == "bool" else ""))
        for dtype, value in outputs
    )
    source = _source(
        tuple((_READ[dtype], trace.of_rows.get(name)) for name, dtype in trace.inputs.items()),
        tuple((name, *copied) for name, copied in trace.copies.items()),
        len(trace.constants),
        tuple((left, right) for right, left in trace.statements.items()),
        results,
        tuple(trace.totals.values()),
    )
    compiler = compiler_path()
    function = None if compiler is None else _library(source, folder, compiler)
    if function is None:
        return None
    constants = np.array([*trace.constants.values()], np.float64)
    types = [dtype for dtype, _ in outputs]
    totals = {name: rule for name, (rule, _) in trace.totals.items()}
    return Kernel(function, constants, trace.inputs, trace.of_rows, types, totals)


@functools.cache
def _source(
    inputs: tuple[tuple[str, str | None], ...],
    copies: tuple[tuple[str, str, str], ...],
    constants: int,
    statements: tuple[tuple[str, str], ...],
    outputs: tuple[tuple[str, str], ...],
    totals: tuple[tuple[str, str], ...],
) -> str:
    """Return a loop's C++."""
    return _template().render(
        factorial=math.factorial,
        inputs=inputs,
        copies=copies,
        constants=constants,
        statements=statements,
        outputs=outputs,
        narrow=_STORED["uint8"],
        totals=totals,
    )


@functools.cache
def _template() -> jinja2.Template:
    loader = jinja2.PackageLoader("aclnn_cts.golden", "templates")
    environment = jinja2.Environment(  # noqa: S701 - C++
        loader=loader, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("kernel.cpp.j2")


@functools.cache
def _library(source: str, folder: Path, compiler: str) -> Callable[..., None] | None:
    """Return the function of a library, which is compiled unless it exists.

    None if the compiler fails or the folder is not usable; NumPy then does the work.
    """
    register(folder)
    try:
        parts = (source, compiler_version(compiler), _processor(), *_flags())
        key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
        found = (path for path in folder.glob(f"{key}-*.so") if path.name == _name(key, path))
        library = next(found, None) or _compiled(source, folder, compiler, key)
        if library is None or not take(folder, library.name):
            return None
        function: Callable[..., None] = ctypes.CDLL(str(library)).fill
    except OSError:
        return None
    function.restype = None  # type: ignore[attr-defined]
    return function


def _compiled(source: str, folder: Path, compiler: str, key: str) -> Path | None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        made = Path(scratch) / "kernel.so"
        command = (compiler, *_flags(), "-x", "c++", "-", "-o", str(made))
        done = subprocess.run(  # noqa: S603 - the compiler that the user names
            command, input=source, text=True, capture_output=True, check=False
        )
        return made.replace(folder / _name(key, made)) if done.returncode == 0 else None


def _name(key: str, library: Path) -> str:
    """Return the name of a complete library; loading a truncated one would kill the process."""
    return f"{key}-{hashlib.sha256(library.read_bytes()).hexdigest()[:16]}.so"


def _flags() -> tuple[str, ...]:
    """Return the compiler's flags; by default g++ uses half of each 512-bit register."""
    return (*FLAGS, "-mprefer-vector-width=512") if "avx512f" in _processor().split() else FLAGS


@functools.cache
def _processor() -> str:
    """Return the processor's features; a library does not run on a processor with fewer."""
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        return next((line for line in lines if line.startswith(("flags", "Features"))), "")
    return ""

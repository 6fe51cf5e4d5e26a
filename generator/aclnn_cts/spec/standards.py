# SPDX-License-Identifier: Apache-2.0
"""The models behind products.yaml, precision.yaml, allowances.yaml and common.yaml."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, model_validator

from aclnn_cts.spec.fields import ClauseId, Identifier, ProductId, Sentence, Strict


class Product(Strict):
    """One product of products.yaml."""

    id: ProductId = Field(description="The name that specs and commands use.")
    title: str = Field(description="The name that documents use.")
    soc_prefixes: list[str] = Field(min_length=1, description="How aclrtGetSocName begins.")
    simulated_soc: str = Field(description="The SoC name under which the simulator plays it.")
    architecture: str = Field(description="The NpuArch.")
    malloc_slack: Annotated[int, Field(ge=0, le=64)] = Field(
        description="Bytes that aclrtMalloc adds to the size rounded up to 32."
    )
    inf_nan: bool = Field(description="Whether arithmetic has Inf and NaN; else it saturates.")


class Products(Strict):
    """products.yaml; the order is the order in which SoC names are matched."""

    products: list[Product] = Field(min_length=1, description="In matching order.")


class MixedTolerance(Strict):
    """One column of the public operator precision standard."""

    rtol: float = Field(description="Relative tolerance of an element.")
    atol: float = Field(description="Absolute tolerance of an element.")
    hard_limit: float = Field(description="Largest absolute error, unless that many ulps are more.")


class EcosystemStandard(Strict):
    """The public operator precision standard: mixed tolerance."""

    text: Sentence
    matched_ratio: float = Field(description="Share of the elements that must be within tolerance.")
    hard_limit_ulps: float = Field(description="Ulps that the largest error may have in any case.")
    tolerances: dict[str, MixedTolerance] = Field(description="By output type.")


class StatisticalStandard(Strict):
    """Mean and maximum relative error, the earlier public standard."""

    text: Sentence
    floor: float = Field(description="Added to the magnitude that the error is divided by.")
    maximum_factor: float = Field(description="The maximum may be this many times the threshold.")
    thresholds: dict[str, float] = Field(description="Mean relative error, by output type.")


class StrictStandard(Strict):
    """The project's own standard: every element within the operator's own error budget."""

    text: Sentence


class PrecisionStandards(Strict):
    """precision.yaml."""

    strict: StrictStandard = Field(description="The project's own.")
    ecosystem: EcosystemStandard = Field(description="The public one for open operators.")
    statistical: StatisticalStandard = Field(description="The earlier public one.")


Operation: TypeAlias = Literal["add", "multiply", "divide", "exp", "log", "rsqrt"]


class Allowance(Strict):
    """Something that a right device may do, since no page forbids it."""

    id: ClauseId
    text: Sentence
    reason: Sentence
    source: Sentence = Field(description="Where it is known from.")
    ulps: dict[Operation, Annotated[float, Field(ge=0.5, le=8)]] = Field(
        default_factory=dict,
        description="Largest error of an operation, in ulps of the type in which it is done; half "
        "an ulp unless an allowance says more.",
    )
    accumulation_factor: Annotated[float, Field(gt=0)] | None = Field(
        None,
        description="A sum of K terms may be off by this times sqrt(K - 1) roundings, at most "
        "K - 1.",
    )


class Allowances(Strict):
    """allowances.yaml."""

    allowances: list[Allowance] = Field(min_length=1, description="Specs refer to them by id.")


class CommonClause(Strict):
    """A promise that all operators share: of the common documents, or a rule of this suite."""

    id: ClauseId
    text: Sentence
    basis: Literal["stated", "suite"] = Field(
        description="`stated`: a common document says it; `suite`: no page says it, it is a rule "
        "of this suite about memory, state and call discipline."
    )
    document: str | None = Field(None, description="The common document that states it.")
    item: str | None = Field(None, description="The chapter or sentence within it.")
    reason: Sentence | None = Field(
        None, description="Why the suite holds devices to it; goes with the basis `suite` only."
    )
    no_negative: Sentence | None = Field(
        None, description="Why no call can stand outside the promise."
    )

    @property
    def place(self) -> str:
        """Where the promise stands, for people."""
        if self.basis == "suite":
            return f"a rule of this suite: {self.reason}"
        return f"{self.document}, {self.item}"

    @model_validator(mode="after")
    def _has_its_source(self) -> CommonClause:
        stated = {"document": self.document, "item": self.item}
        needed, other = (stated, {"reason": self.reason})
        if self.basis == "suite":
            needed, other = other, stated
        missing = [name for name, value in needed.items() if value is None]
        idle = [name for name, value in other.items() if value is not None]
        if missing:
            raise ValueError(
                f"a clause with the basis {self.basis!r} needs {' and '.join(missing)}"
            )
        if idle:
            raise ValueError(f"{' and '.join(idle)} does not go with the basis {self.basis!r}")
        return self


class Trait(Strict):
    """A kind of operators, and the calls that each of them deserves."""

    text: Sentence
    derived: dict[Identifier, str] = Field(
        default_factory=dict, description="Values that specs may name, see `derived` there."
    )
    scenes: dict[ClauseId, dict[str, Any]] = Field(
        description="Scenes by id, as a spec has them; `$free` stands for the first input whose "
        "shape is free, `$mask` for the first one of bytes."
    )


class Traits(Strict):
    """traits.yaml."""

    traits: dict[Identifier, Trait] = Field(description="By the name that specs use.")


class CommonClauses(Strict):
    """common.yaml."""

    clauses: list[CommonClause] = Field(description="One for each shared promise.")

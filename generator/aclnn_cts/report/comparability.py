# SPDX-License-Identifier: Apache-2.0
"""Whether two runs can be compared, and what was not the same about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.report.comparison_values import SIMULATED, Difference, Side
from aclnn_cts.report.document import ResultsDocument

_DIGEST_SHOWN = 12
"""Digits of a digest that a person reads."""

_OF_CANN = ("libascendcl", "libnnopbase", "libopapi")
"""How the names of CANN's libraries begin that each run records, be it a kit's or not."""


def require_comparable(base: ResultsDocument, new: ResultsDocument) -> None:
    """Refuse two runs whose verdicts say nothing about each other.

    Raises:
        NotTrustworthyError: They are about different products, were judged by different standards,
            one of them is empty, or they have no case in common.
    """
    if base.device.product != new.device.product:
        raise NotTrustworthyError(
            f"BASE is about {base.device.product}, NEW about {new.device.product}: they promise "
            "different things; compare runs of one product"
        )
    if base.standard != new.standard:
        raise NotTrustworthyError(
            f"BASE was judged by the standard {base.standard}, NEW by {new.standard}; judge one of "
            f"them again: `aclnn-cts judge FOLDER --standard {base.standard}`"
        )
    for name, side in (("BASE", base), ("NEW", new)):
        if not side.cases:
            raise NotTrustworthyError(f"{name} holds no cases; nothing was tested in it")
    if not {case.id for case in base.cases} & {case.id for case in new.cases}:
        raise NotTrustworthyError(
            "BASE and NEW have no case in common; compare runs of the same operators and tier"
        )


def side_of(document: ResultsDocument) -> Side:
    """Return what there is to say about one of the runs."""
    failing = [case for case in document.cases if case.verdict.breaks_promise]
    waived = sum(case.waiver is not None for case in failing)
    return Side(
        kind=document.device.kind,
        product=document.device.product,
        soc=document.device.soc,
        cann=document.device.cann,
        tier=document.tier,
        started=document.started,
        cases=len(document.cases),
        failing=len(failing) - waived,
        waived=waived,
        problems=document.problems,
    )


def differences(base: ResultsDocument, new: ResultsDocument) -> tuple[Difference, ...]:
    """Return what was not the same about both runs, what counts most first.

    A library that only one of them names counts if it is CANN's: a kit records no others.
    """
    before, after = ({**dict(_facts(side)), **_shown(_libraries(side))} for side in (base, new))
    alone = _libraries(base).keys() ^ _libraries(new).keys()
    return tuple(
        Difference(name, before.get(name, ""), after.get(name, ""))
        for name in {**before, **after}
        if before.get(name, "") != after.get(name, "")
        and (name not in alone or name.startswith(_OF_CANN))
    )


def _facts(document: ResultsDocument) -> Iterator[tuple[str, str]]:
    device, environment = document.device, document.environment
    yield "CANN", device.cann
    yield "toolkit", environment.toolkit_version
    yield "driver", environment.driver
    yield "firmware", environment.firmware
    yield "device", device.kind
    yield "fault", device.fault
    yield "variant", device.variant
    yield "SoC", device.soc
    yield "tier", document.tier
    yield "edition", document.edition
    yield "suite", document.suite.version
    yield "specs", document.suite.specs_sha256[:_DIGEST_SHOWN]
    yield "host", environment.host
    yield "architecture", environment.architecture
    yield "compiler", environment.compiler
    yield "devices", ",".join(map(str, environment.devices))


def _shown(libraries: Mapping[str, str]) -> dict[str, str]:
    return {name: digest[:_DIGEST_SHOWN] for name, digest in libraries.items()}


def notes(base: ResultsDocument, new: ResultsDocument) -> Iterator[str]:
    """Yield what to keep in mind about the comparison, each a sentence."""
    if base == new:
        yield "BASE and NEW hold the same results"
    if base.suite != new.suite:
        yield "the suites differ: cases came or went with their specs, and may be judged otherwise"
    if base.tier != new.tier:
        yield f"BASE is of the tier {base.tier}, NEW of {new.tier}: cases come or go with the tier"
    if base.edition != new.edition:
        yield (
            f"BASE tests the edition {base.edition}, NEW {new.edition}: "
            f"`aclnn-cts diff --edition {base.edition} --edition {new.edition}` says what differs"
        )
    if new.device.kind == SIMULATED and any(case.device_microseconds for case in new.cases):
        yield (
            "times are those of the simulated device, which shares its host with others: they end "
            "no gate but `--gate time`"
        )
    yield from _launches_differ(base, new)
    if _libraries(base) and _libraries(base) == _libraries(new):
        yield "both runs used the very same libraries, byte for byte"
    for name, side in (("BASE", base), ("NEW", new)):
        for problem in side.problems:
            yield f"{name} is not trustworthy: {problem}"


def _launches_differ(base: ResultsDocument, new: ResultsDocument) -> Iterator[str]:
    before, after = (
        max((len(case.device_microseconds) for case in side.cases), default=0)
        for side in (base, new)
    )
    if before and after and before != after:
        yield (
            f"BASE timed {before} launches of a case, NEW {after}: the smaller number bounds what "
            "can be seen; give both runs the same --timings"
        )


def _libraries(document: ResultsDocument) -> Mapping[str, str]:
    return {library.name: library.sha256 for library in document.environment.libraries}


def untimed(base: ResultsDocument, new: ResultsDocument) -> str:
    """Return why the times of two runs say nothing about each other; empty if they do."""
    first, second = base.device, new.device
    if (first.kind, first.soc) == (second.kind, second.soc):
        return ""
    return (
        f"times are not compared: BASE ran on {first.kind} {first.soc}, "
        f"NEW on {second.kind} {second.soc}"
    )

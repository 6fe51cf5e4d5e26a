# SPDX-License-Identifier: Apache-2.0
"""Formats that are not supported, or differ from that of the first tensor."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from aclnn_cts.errors import listed
from aclnn_cts.spec.data_types import PRIVATE_FORMATS, PUBLIC_FORMATS
from aclnn_cts.violations.kind import Broken, Check, Kind, names_by

if TYPE_CHECKING:
    from aclnn_cts.plan.calls import Call, Twin
    from aclnn_cts.spec.clause_models import ErrorClause
    from aclnn_cts.spec.models import OperatorSpec
    from aclnn_cts.violations.rows import Row


class FormatOutsideSupport(Kind):
    key = "format_outside_support"
    description = "A format that is not supported."
    column = "data formats"
    refused = "a format of {} outside the supported ones is refused"
    compared = "the format {}"
    kinds = ("format",)
    is_sampled = True

    def id_of(self, row: Row) -> str:
        only_nd = all(row.formats(name) == ["ND"] for name in row.names)
        return "format-private" if only_nd else "format-unsupported"

    def requirement(self, row: Row, name: str) -> object:
        return listed(row.formats(name), "or")

    def derived_value(self, row: Row) -> list[str]:
        return list(row.tensors)

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        differing = (error.names for error in at.errors if isinstance(error.kind, FormatDiffers))
        alike = [at.spec.tensors[0].name, *itertools.chain.from_iterable(differing)]
        for name in error.names:
            allowed = at.spec.tensor(name).formats
            # No page says that an operator that takes ND refuses other public formats. One that
            # does not take ND must refuse it (the common document on formats).
            public = () if "ND" in allowed else ("NHWC", "ND", "HWCN")
            for offered in (*PRIVATE_FORMATS, *public):
                if offered not in allowed:
                    yield _with_format(name, offered)
                    if len(alike) > 1 and name == alike[0]:
                        together = {f"format:{tensor}": offered for tensor in alike}
                        yield Broken(name, f"{name}_{offered}_together", together)

    def is_wrong(self, call: Call, error: ErrorClause, name: str) -> bool:
        del error
        # no page says that an operator that takes ND refuses other public formats
        allowed: Sequence[str] = call.spec.tensor(name).formats
        public = PUBLIC_FORMATS if "ND" in allowed else ()
        return call.case.tensor(name).format not in (*allowed, *public)

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        groups = names_by(spec.tensors, lambda tensor: tuple(tensor.formats))
        for formats, names in groups.items():
            if formats == ("ND",):
                yield Check("PublicFormat", names)
            else:
                yield Check("Format", names, (("formats", formats),))


class FormatDiffers(Kind):
    key = "format_differs"
    description = "A format other than that of the first tensor."
    id = "format-differs"
    column = "{}, remarks on the format"
    compared = "the format of {}"
    kinds = ("format",)
    adds = "format"

    def requirement(self, row: Row, name: str) -> object:
        del name
        return next(iter(row.tensors))

    def changes(self, at: Twin, error: ErrorClause) -> Iterator[Broken]:
        usual = at.usual_format(at.spec.tensors[0])
        for name in error.names:
            listed = at.spec.tensor(name).formats
            for offered in dict.fromkeys((*listed, "NCHW", "NHWC", *PRIVATE_FORMATS)):
                if offered != usual:
                    yield _with_format(name, offered)

    def is_wrong(self, call: Call, error: ErrorClause, name: str) -> bool:
        del error
        return call.case.tensor(name).format != call.case.tensors[0].format

    def checks(self, spec: OperatorSpec) -> Iterator[Check]:
        first = spec.tensors[0].name
        for error in spec.errors:
            if error.kind is self:
                yield Check("SameFormat", tuple(error.names), (("word", first),))


def _with_format(name: str, offered: str) -> Broken:
    return Broken(name, f"{name}_{offered}", {f"format:{name}": offered})

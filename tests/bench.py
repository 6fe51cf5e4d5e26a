# SPDX-License-Identifier: Apache-2.0
"""Hand-made runs without any program: cases, their data, and what a program would have left."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from aclnn_cts.emit.data_files import DataReference
from aclnn_cts.golden.expectations import expect_case
from aclnn_cts.judge.records import Evidence
from aclnn_cts.judge.verdicts import CaseVerdict, Reference, judge_case
from aclnn_cts.plan.cases import Case, Fill, TensorCase
from aclnn_cts.run.events import CaseRecord, ProgramRecord, read_events
from aclnn_cts.run.folder import Device, RunFolder
from aclnn_cts.run.planned_cases import PlannedCase, PlannedCases
from aclnn_cts.run.process import ProcessFiles, ProgramRun
from aclnn_cts.run.schedule import part_name
from aclnn_cts.spec.data_types import DATA_TYPES
from aclnn_cts.spec.loading import SpecSet, load_specs
from aclnn_cts.suite import Suite

OPERATOR = "aclnnLogitGrad"
COMMON = (
    "two-phase",
    "inputs-unchanged",
    "outputs-written",
    "outside-untouched",
    "workspace-size",
    "uninitialised-memory",
)
Array = npt.NDArray[Any]


@dataclass(repr=False)
class Bench:
    """Makes cases, their data, and the files that a program would have left of them."""

    folder: Path
    suite: Suite
    inputs: dict[str, dict[str, Array]] = field(default_factory=dict)
    cases: list[Case] = field(default_factory=list)
    programs: list[ProgramRun] = field(default_factory=list)

    @property
    def specs(self) -> SpecSet:
        """The specs of the suite."""
        return load_specs(self.suite)

    def case(self, name: str, x: Iterable[float], dy: Iterable[float], **changes: Any) -> Case:
        """Plan a case; ``changes`` are dtype, eps, layout (of x), and any field of Case."""
        dtype = changes.pop("dtype", "float32")
        layout = changes.pop("layout", "contiguous")
        eps = changes.pop("eps", -1.0)
        kind = DATA_TYPES[dtype].numpy
        data = {"x": np.array(list(x), kind), "dy": np.array(list(dy), kind)}
        size = len(data["x"])
        tensors = tuple(
            TensorCase(
                each,
                "output" if each == "out" else "input",
                dtype,
                (size,),
                (2,) if each == "x" and layout != "contiguous" else (1,),
                0,
                (2 * size,),
                "ND",
                layout if each == "x" else "contiguous",
                "output" if each == "out" else "data",
                None if each == "out" else Fill("uniform"),
            )
            for each in ("x", "dy", "out")
        )
        extra = ("x-non-contiguous",) if layout != "contiguous" else ()
        clauses = ("x-dtype", *extra, "determinism", *COMMON)
        facts: dict[str, Any] = {
            "scene": "pairs",
            "statuses": (0,),
            "clauses": clauses,
            "attributes": {"eps": eps},
            **changes,
        }
        case = Case(
            name, OPERATOR, product="atlas-a2", tier="smoke", tensors=tensors, names={}, **facts
        )
        self.cases.append(case)
        self.inputs[name] = data
        return case

    def refusal(self, name: str, **more: Any) -> Case:
        """Plan a call that must be refused with ACLNN_ERR_PARAM_INVALID (161002); or as said."""
        clauses = ("dtype-differs", "refusal-leaves-outputs", "inputs-unchanged")
        changes: dict[str, Any] = {
            "scene": "dtype-differs",
            "statuses": (161002,),
            "clauses": clauses,
            "basis": "status",
            "refused_by": ("dtype-differs",),
            "is_launched": False,
        }
        return self.case(name, [0.5], [1.0], twin="twin", **{**changes, **more})

    def reference(self, case: Case) -> Reference:
        """Return what the outputs of a case are held against."""
        inputs = self.inputs[case.id]
        return Reference(inputs, functools.partial(expect_case, self.specs, case, inputs))

    def right(self, case: Case) -> Array:
        """Return what a faultless device computes: the formula, rounded once."""
        data = self.inputs[case.id]
        x, dy = data["x"].astype(np.float64), data["dy"].astype(np.float64)
        with np.errstate(all="ignore"):
            return (dy / (x * (1 - x))).astype(data["x"].dtype)

    def program(self, *told: tuple[Case, list[dict[str, Any]], bytes], **changes: Any) -> None:
        """Leave the files of one program: what it told of each case, and its outputs."""
        number = len(self.programs)
        batch = f"{OPERATOR}-000"
        files = ProcessFiles.of(self.folder, part_name(batch, number))
        for path in (files.events, files.outputs):
            path.parent.mkdir(exist_ok=True)
        lines: list[dict[str, Any]] = []
        held = b""
        for _, case_lines, data in told:
            lines += [
                {**line, "offset": len(held) + line["offset"]} if "offset" in line else line
                for line in case_lines
            ]
            held += data
        if changes.pop("finished", True):
            lines.append({"event": "finished", "cases": len(told)})
        text = "".join(json.dumps(line) + "\n" for line in lines) + changes.pop("tail", "")
        files.events.write_text(text)
        files.outputs.write_bytes(held[: changes.pop("cut", None)])
        facts: dict[str, Any] = {
            "operator": OPERATOR,
            "exit_code": 0,
            "timed_out": False,
            "seconds": 1.0,
            "stderr": "",
            "batch": batch,
            "part": number,
            **changes,
        }
        self.programs.append(ProgramRun(events=files.events, outputs=files.outputs, **facts))

    def kept(
        self, case: Case, out: Array | None = None, **repeat: int
    ) -> tuple[Case, list[dict[str, Any]], bytes]:
        """Return what a program tells of a case that went through, with a given output."""
        return self.computed(case, {"out": self.right(case) if out is None else out}, **repeat)

    def computed(
        self, case: Case, outputs: Mapping[str, Array], **repeat: int
    ) -> tuple[Case, list[dict[str, Any]], bytes]:
        """Return the same of any operator, with all its outputs."""
        same = {"different": 0, "first": -1, "unwritten": 0, "unwritten_first": -1, **repeat}
        lines, content = self.phases(case), b""
        for tensor, array in outputs.items():
            data = array.tobytes()
            place = {"tensor": tensor, "offset": len(content), "bytes": len(data)}
            lines.append({"event": "output", "run": 0, **place})
            lines.append({"event": "repeat", "run": 1, "tensor": tensor, **same})
            content += data
        return case, self.framed(case, lines), content

    def repeats(
        self, *differences: int, first: int = 100, tensor: str = "out"
    ) -> list[dict[str, Any]]:
        """Return the comparisons of the runs that say why the ordinary ones differ, in order."""
        facts = {"event": "repeat", "tensor": tensor, "unwritten": 0, "unwritten_first": -1}
        return [
            {**facts, "run": first + number, "different": count, "first": 0 if count else -1}
            for number, count in enumerate(differences)
        ]

    def refused(
        self, case: Case, status: int = 161002, *more: dict[str, Any]
    ) -> tuple[Case, list[dict[str, Any]], bytes]:
        """Return what a program tells of a call that phase one refused."""
        lines = [{**self.phases(case)[0], "status": status, "message": "no"}, *more]
        return case, self.framed(case, lines), b""

    def phases(self, case: Case) -> list[dict[str, Any]]:
        """Return the events of two phases that went well."""
        del case
        one = {"event": "phase1", "run": 0, "status": 0, "workspace": 0, "microseconds": 1.0}
        two = {"event": "phase2", "run": 0, "status": 0, "synchronize": 0, "microseconds": 1.0}
        return [{**one, "message": ""}, {**two, "device_microseconds": None, "message": ""}]

    def framed(self, case: Case, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return events between the case's begin and end, with its id."""
        ends = [{"event": "begin"}, *lines, {"event": "end", "microseconds": 1500.0}]
        return [{**line, "case": case.id} for line in ends]

    def record(self, told: tuple[Case, list[dict[str, Any]], bytes]) -> CaseRecord:
        """Return the record that the run room reads of one case."""
        path = self.folder / "single.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in told[1]))
        record: ProgramRecord = read_events(path)
        assert not record.damaged
        return record.cases[told[0].id]

    def judge(
        self,
        told: tuple[Case, list[dict[str, Any]], bytes],
        specs: SpecSet | None = None,
        reference: Reference | None = None,
    ) -> CaseVerdict:
        """Return the verdict on one case by the strict standard."""
        case, _, data = told
        outputs = self.folder / "single.bin"
        outputs.write_bytes(data)
        found = Evidence(self.record(told), outputs)
        reference = reference or self.reference(case)
        return judge_case(specs or self.specs, case, reference, found, "strict")

    def run(self) -> RunFolder:
        """Return the whole as the run room opens it."""
        device = Device(kind="simulator", product="atlas-a2", soc="Ascend910B3", cann="8.0")
        return RunFolder(
            path=self.folder,
            suite_version="0.1.0",
            specs_sha256="00",
            specs={},
            device=device,
            tier="smoke",
            standard="strict",
            cases=PlannedCases.pack(
                PlannedCase(case, DataReference(None, 0, {})) for case in self.cases
            ),
            programs=tuple(self.programs),
            state="complete",
            store=self.folder,
        )

# SPDX-License-Identifier: Apache-2.0
"""aclnnNLLLoss: -weight[target] self[target] of each sample, their weighted mean or their sum."""

from __future__ import annotations

import numpy as np

from aclnn_cts.golden.arithmetic import FLOAT64, Arithmetic, reading, select
from aclnn_cts.golden.formula import Array, Attributes, Inputs, Sums, Terms, widen
from aclnn_cts.golden.losses import MEAN, SUM


def derive(name: str, inputs: Inputs, attributes: Attributes) -> Array:
    """Return classes as ``target``, each in turn; not all are to be ignored.

    Of more than 256 every other one counts from the last, of which uint8 keeps the lower bits.
    """
    del name
    *samples, classes = inputs["self"].shape
    first = max(int(attributes["ignoreIndex"]), 0) + 1
    place = np.arange(int(np.prod(samples)), dtype=np.int64)
    classes_of_rows: Array = (place * 7 + place // 5 * 3 + first) % min(classes, 256)
    if classes > 256:
        classes_of_rows[1::2] = classes - 1 - classes_of_rows[1::2]
    return classes_of_rows.reshape(samples)


def align(inputs: Inputs, attributes: Attributes) -> Inputs:
    """Return what counts of each sample: its element of self, the weight and the class."""
    del attributes
    rows = inputs["self"].reshape(-1, inputs["self"].shape[-1])
    target = inputs["target"].reshape(-1).astype(np.int64)
    target_class = np.clip(target, 0, rows.shape[-1] - 1)
    picked = rows[np.arange(len(rows)), target_class]
    return {
        "picked": picked,
        "weight": inputs["weight"][target_class],
        "target": target.astype(np.float64),
        "count": np.array(float(len(rows))),
    }


def evaluate(inputs: Inputs, attributes: Attributes, on: Arithmetic = FLOAT64) -> Sums:
    """Yield what is to be added up, and return ``out`` and ``totalWeightOut``.

    The document divides the mean by the weights in one place, by the number of losses in another.
    """
    names = {"self": "picked", "weight": "weight", "target": "target"}
    scope = {name: widen(inputs[input_name]) for name, input_name in names.items()}
    on = on.keeping
    x, weight = on.exact(scope["self"]), on.exact(scope["weight"])
    none = on.exact(0.0)
    counts = np.not_equal(scope["target"], float(attributes["ignoreIndex"]))
    losses = -weight * x
    terms = {"weights": (select(counts, weight, none), "count")}
    outputs = {"out": "picked", "totalWeightOut": "count"}
    if attributes["reduction"] in (MEAN, SUM):
        terms["total"] = (select(counts, losses, none), "count")
        outputs["out"] = "count"
    sums = yield Terms(terms, scope, outputs, dict.fromkeys(outputs, "count"))
    total = sums["weights"]
    out = sums.get("total", losses)
    if attributes["reduction"] == MEAN:
        out = reading(out / total, out / on.exact(widen(inputs["count"])))
    return {"out": out, "totalWeightOut": total}

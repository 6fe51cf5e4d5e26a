# SPDX-License-Identifier: Apache-2.0
"""What the runtime tells of the devices, and what the specs promise for them."""

from __future__ import annotations

from collections.abc import Mapping

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.run.doctor.findings import Finding, missing, ok, split_advice, warn
from aclnn_cts.run.probe import Answer
from aclnn_cts.run.products import product_of
from aclnn_cts.run.target import VISIBLE, device_refusal
from aclnn_cts.spec.loading import SpecSet


def check_devices(answer: Answer, environment: Mapping[str, str]) -> tuple[Finding, ...]:
    """Tell how many devices there are, and which of them cannot be used."""
    limit = environment.get(VISIBLE)
    limited = "" if limit is None else f"; {VISIBLE} is {limit!r}"
    if answer.devices == 0:
        advice = "see whether `npu-smi info` shows one, and whether you may open /dev/davinci*"
        return (missing("devices", f"the runtime sees none{limited}", advice),)
    refused = [each for each in answer.tried if each.status != 0]
    usable = answer.devices - len(refused)
    what = f"{answer.devices} visible, {usable} can be used{limited}"
    if not usable:
        return (missing("devices", what, device_refusal(refused[0]).partition("; ")[2]),)
    findings = [ok("devices", what)]
    for each in refused:
        sentence, _, advice = device_refusal(each).partition("; ")
        findings.append(warn("devices", sentence, advice))
    return tuple(findings)


def check_product(answer: Answer, specs: SpecSet) -> Finding:
    """Tell which product the device is, and how many operators are promised for it."""
    try:
        product = product_of(specs, answer.soc)
    except NotTrustworthyError as error:
        return split_advice("product", str(error))
    tested = specs.tested
    promised = [spec.operator for spec in tested if spec.supports(product)]
    what = (
        f"{answer.soc} is {product}; {len(promised)} of {len(tested)} operators are promised there"
    )
    if not promised:
        return warn("product", what, "a run checks only that each operator refuses its calls")
    return ok("product", what)

# SPDX-License-Identifier: Apache-2.0
"""Which files are mutated, and which tests and cases have to notice."""

from __future__ import annotations

PACKAGE = "generator/aclnn_cts"

FORMULAS = tuple(
    f"{PACKAGE}/golden/operators/{name}.py"
    for name in (
        "group_norm_swish_grad",
        "max_pool2d_with_mask_backward",
        "prelu_backward",
    )
)

EXPECTATION_RULES = tuple(
    f"{PACKAGE}/golden/{name}.py"
    for name in (
        "arithmetic",
        "elements",
        "expectations",
        "expected",
        "expressions",
        "flushing",
        "formula",
        "formula_modules",
        "functions",
        "movements",
        "resolution",
        "tolerances",
    )
)

COMPARATOR = (
    *(
        f"{PACKAGE}/judge/{name}.py"
        for name in (
            "attribution",
            "bias",
            "call_checks",
            "comparison",
            "records",
            "standards",
            "verdicts",
        )
    ),
)

PYTHON = {"formulas": FORMULAS, "expectation rules": EXPECTATION_RULES, "comparator": COMPARATOR}

TESTS = ("tests/golden", "tests/judge", "tests/oracle")
"""The project's own tests that may kill a mutant: those that need no compiler."""

CPP = {
    "simulator/operators/dropout_backward.cpp": "aclnnDropoutBackward",
    "simulator/operators/group_norm_swish_grad.cpp": "aclnnGroupNormSwishGrad",
    "simulator/operators/logit_grad.cpp": "aclnnLogitGrad",
    "simulator/operators/max_pool2d_with_mask_backward.cpp": "aclnnMaxPool2dWithMaskBackward",
    "simulator/operators/prelu_backward.cpp": "aclnnPreluBackward",
    "simulator/src/nnopbase/max_pool.cpp": "aclnnMaxPool2dWithMaskBackward",
}
"""The simulated operators' sources, and the operator whose cases have to notice."""

FILES = (*FORMULAS, *EXPECTATION_RULES, *COMPARATOR, *CPP)
"""All files that are mutated."""

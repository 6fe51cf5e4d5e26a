# SPDX-License-Identifier: Apache-2.0
"""The operators' mathematics in 100 digits, element by element, written from the documents.

Nothing here knows the NumPy formulas: these are loops over single elements in the order in which
the documents say things, so that an agreement of both is evidence for both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.oracle.exact import (
    arrangements,
    dropout_backward,
    dropout_do_mask,
    elementwise,
    glu,
    group_norm_swish_grad,
    logit_grad,
    losses,
    max_pool2d_with_mask_backward,
    norms,
    pooling,
    prelu,
    prelu_backward,
    reductions,
    softmax,
)
from tests.oracle.exact.numbers import Arrays, Elements, Values

from aclnn_cts.spec.loading import load_specs
from aclnn_cts.suite import find_suite

ORACLES: Mapping[str, Callable[[Arrays, Values], Elements]] = {
    "aclnnAdaptiveAvgPool2d": pooling.adaptive_avg_pool2d,
    "aclnnAvgPool2d": pooling.avg_pool2d,
    "aclnnAvgPool2dBackward": pooling.avg_pool2d_backward,
    "aclnnAll": reductions.oracle(reductions.stated_or_every("dim"), out=reductions.all_are_true),
    "aclnnAmax": reductions.oracle(reductions.stated("dim"), out=reductions.largest),
    "aclnnAmin": reductions.oracle(reductions.stated("dim"), out=reductions.smallest),
    "aclnnAny": reductions.oracle(reductions.stated("dim"), out=reductions.any_is_true),
    "aclnnBinaryCrossEntropy": losses.binary_cross_entropy,
    "aclnnBinaryCrossEntropyWithLogits": losses.binary_cross_entropy_with_logits,
    "aclnnCircularPad2d": arrangements.oracle(arrangements.pad("padding", arrangements.around)),
    "aclnnCircularPad3d": arrangements.oracle(arrangements.pad("padding", arrangements.around)),
    "aclnnConstantPadNd": arrangements.oracle(
        arrangements.pad("pad", arrangements.nothing), "value"
    ),
    "aclnnDiag": arrangements.oracle(arrangements.diagonal),
    "aclnnDiagFlat": arrangements.oracle(arrangements.diagonal),
    "aclnnDropoutBackward": dropout_backward.oracle,
    "aclnnDropoutDoMask": dropout_do_mask.oracle,
    "aclnnExpand": arrangements.oracle(arrangements.expand),
    "aclnnFlatten": arrangements.oracle(arrangements.flatten),
    "aclnnFlip": arrangements.oracle(arrangements.flip),
    "aclnnEmbedding": arrangements.oracle_of_places(arrangements.select),
    "aclnnGather": arrangements.oracle_of_places(arrangements.gather),
    "aclnnGatherNd": arrangements.oracle_of_places(arrangements.slices),
    "aclnnGatherV2": arrangements.oracle_of_places(arrangements.select),
    "aclnnGatherV3": arrangements.oracle_of_places(arrangements.select),
    "aclnnIndexCopy": arrangements.oracle_of_places(arrangements.copy, "outRef"),
    "aclnnIndexFill": arrangements.oracle_of_places(arrangements.fill),
    "aclnnIndexSelect": arrangements.oracle_of_places(arrangements.select),
    "aclnnScatterNd": arrangements.oracle_of_places(arrangements.update),
    "aclnnTake": arrangements.oracle_of_places(arrangements.take),
    "aclnnGlu": glu.glu,
    "aclnnGluBackward": glu.glu_backward,
    "aclnnGlobalMaxPool": reductions.oracle(reductions.planes, out=reductions.largest),
    "aclnnGroupNorm": norms.group_norm,
    "aclnnGroupNormBackward": norms.group_norm_backward,
    "aclnnGroupNormSilu": norms.group_norm_silu,
    "aclnnGroupNormSiluV2": norms.group_norm_silu_v2,
    "aclnnGroupNormSwish": norms.group_norm_swish,
    "aclnnGroupNormSwishGrad": group_norm_swish_grad.oracle,
    "aclnnL1Loss": losses.l1_loss,
    "aclnnLayerNorm": norms.layer_norm,
    "aclnnLogitGrad": logit_grad.oracle,
    "aclnnMaxPool2dWithMaskBackward": max_pool2d_with_mask_backward.oracle,
    "aclnnMaxPool2dWithIndices": pooling.max_pool2d_with_indices,
    "aclnnMaxPool2dWithIndicesBackward": pooling.max_pool2d_with_indices_backward,
    "aclnnLogSoftmax": softmax.log_softmax,
    "aclnnLogSoftmaxBackward": softmax.log_softmax_backward,
    "aclnnMax": reductions.oracle(reductions.every, out=reductions.largest),
    "aclnnMaxV2": reductions.oracle(
        reductions.stated_or_every("dims", "noopWithEmptyDims"), out=reductions.largest
    ),
    "aclnnMeanV2": reductions.oracle(
        reductions.stated_or_every("dim", "noopWithEmptyAxes"), out=reductions.mean
    ),
    "aclnnMin": reductions.oracle(reductions.every, out=reductions.smallest),
    "aclnnMseLoss": losses.mse_loss,
    "aclnnNLLLoss": losses.nll_loss,
    "aclnnNLLLossBackward": losses.nll_loss_backward,
    **{
        operator: reductions.oracle(axes, **outputs)
        for operator, axes, outputs in (
            ("aclnnReduceSum", reductions.stated("dims"), {"out": reductions.added}),
            ("aclnnMean", reductions.stated("dim"), {"out": reductions.mean}),
            (
                "aclnnReduceNansum",
                reductions.stated_or_every("dim"),
                {"out": reductions.added_without_nan},
            ),
            (
                "aclnnReduceLogSum",
                reductions.stated_or_every("axes", "noopWithEmptyAxes"),
                {"reduce": reductions.logarithm_of_sum},
            ),
            (
                "aclnnLogSumExp",
                reductions.stated("dim"),
                {"out": reductions.logarithm_of_exponentials},
            ),
            ("aclnnGlobalAveragePool", reductions.planes, {"out": reductions.mean}),
            ("aclnnProd", reductions.every, {"out": reductions.product}),
            ("aclnnProdDim", reductions.stated("dim"), {"out": reductions.product}),
            *(
                (
                    f"aclnnAminmax{suffix}",
                    axes,
                    {"minOut": reductions.smallest, "maxOut": reductions.largest},
                )
                for suffix, axes in (
                    ("", reductions.stated("dim")),
                    ("All", reductions.every),
                    ("Dim", reductions.stated("dim")),
                )
            ),
            *(
                (operator, reductions.stated_or_every("dim"), outputs)
                for operator, outputs in (
                    ("aclnnVar", {"out": reductions.variance}),
                    ("aclnnVarCorrection", {"out": reductions.variance}),
                    (
                        "aclnnVarMean",
                        {"varOut": reductions.variance, "meanOut": reductions.mean},
                    ),
                    ("aclnnStd", {"out": reductions.deviation}),
                    (
                        "aclnnStdMeanCorrection",
                        {"stdOut": reductions.deviation, "meanOut": reductions.mean},
                    ),
                )
            ),
        )
    },
    "aclnnPermute": arrangements.oracle(arrangements.permute),
    "aclnnPrelu": prelu.oracle,
    "aclnnPreluBackward": prelu_backward.oracle,
    "aclnnReflectionPad1d": arrangements.oracle(arrangements.pad("padding", arrangements.mirror)),
    "aclnnReflectionPad2d": arrangements.oracle(arrangements.pad("padding", arrangements.mirror)),
    "aclnnReflectionPad3d": arrangements.oracle(arrangements.pad("padding", arrangements.mirror)),
    "aclnnRepeat": arrangements.oracle(arrangements.repeat),
    "aclnnRepeatInterleaveInt": arrangements.oracle(arrangements.interleave),
    "aclnnRepeatInterleaveIntWithDim": arrangements.oracle(arrangements.interleave),
    "aclnnReplicationPad1d": arrangements.oracle(arrangements.pad("padding", arrangements.border)),
    "aclnnReplicationPad2d": arrangements.oracle(arrangements.pad("padding", arrangements.border)),
    "aclnnReplicationPad3d": arrangements.oracle(arrangements.pad("padding", arrangements.border)),
    "aclnnRoll": arrangements.oracle(arrangements.roll),
    "aclnnSignbit": elementwise.signs,
    "aclnnSlice": arrangements.oracle(arrangements.cut(("start", "dim", "step"))),
    "aclnnSliceV2": arrangements.oracle(arrangements.cut(("starts", "axes", "steps"))),
    "aclnnSmoothL1Loss": losses.smooth_l1_loss,
    "aclnnSoftMarginLoss": losses.soft_margin_loss,
    "aclnnRmsNorm": norms.rms_norm,
    "aclnnRmsNormGrad": norms.rms_norm_grad,
    "aclnnSoftmax": softmax.softmax,
    "aclnnSoftmaxBackward": softmax.softmax_backward,
    "aclnnTril": arrangements.oracle(arrangements.tril),
    "aclnnTriu": arrangements.oracle(arrangements.triu),
    **{
        spec.operator: elementwise.oracle(spec)
        for spec in load_specs(find_suite()).tested_operators
        if spec.second_of is None
        and any(
            name in elementwise.FUNCTIONS or hasattr(elementwise, name)
            for name in (spec.kernel, elementwise.stem(spec))
        )
    },
}
"""By operator: from inputs and attributes to a function for each output."""

# SPDX-License-Identifier: Apache-2.0
"""The operators of the documents by name, and the products that each table of products names."""

from __future__ import annotations

DROPOUT = "aclnnDropoutBackward"
ERFC = "aclnnErfc"
INPLACE_ERFC = "aclnnInplaceErfc"
GROUP_NORM = "aclnnGroupNormSwishGrad"
GROUP_NORM_FORWARD = "aclnnGroupNorm"
LOGIT = "aclnnLogitGrad"
MSE = "aclnnMseLoss"
POOL = "aclnnMaxPool2dWithMaskBackward"
FORWARD = "aclnnMaxPool2dWithMask"
PRELU = "aclnnPreluBackward"
RMS_NORM = "aclnnRmsNorm"
RMS_NORM_GRAD = "aclnnRmsNormGrad"

SUPPORT = {
    #            950  A3  A2 310B 310P 910
    DROPOUT: "     +   +   +   -    -    +",
    ERFC: "        +   +   +   -    +    +",
    INPLACE_ERFC: "+   +   +   -    +    +",
    GROUP_NORM: "  +   +   +   -    -    -",
    GROUP_NORM_FORWARD: "  +   +   +   -    +    +",
    LOGIT: "       +   +   +   -    -    -",
    MSE: "         +   +   +   -    +    +",
    POOL: "        -   +   +   -    -    +",
    FORWARD: "     -   +   +   -    +    +",
    PRELU: "       +   +   +   -    -    +",
    RMS_NORM: "    +   +   +   -    +    -",
    RMS_NORM_GRAD: "    +   +   +   -    +    -",
}
"""Table of products of each document; the columns are the order of products.yaml."""

# SPDX-License-Identifier: Apache-2.0
# Generated from the specs by `aclnn-cts generate`; edit the specs, not this file.
# The operators that each program calls besides its own: the one that makes an input, and those that
# run before a call that must not depend on them.
set(aclnnDropoutBackward_calls aclnnFastGelu aclnnHardsigmoidBackward aclnnGroupNormSwishGrad aclnnPreluBackward)
set(aclnnFastGelu_calls aclnnDropoutBackward)
set(aclnnFastGeluBackward_calls aclnnDropoutBackward)
set(aclnnGroupNormSwishGrad_calls aclnnDropoutBackward)
set(aclnnHardsigmoidBackward_calls aclnnDropoutBackward aclnnSilu)
set(aclnnHardswishBackward_calls aclnnDropoutBackward)
set(aclnnHardswishBackwardV2_calls aclnnDropoutBackward)
set(aclnnLeakyRelu_calls aclnnDropoutBackward)
set(aclnnInplaceLeakyRelu_calls aclnnDropoutBackward)
set(aclnnLogSigmoid_calls aclnnDropoutBackward)
set(aclnnLogitGrad_calls aclnnDropoutBackward)
set(aclnnMaxPool2dWithMask_calls)
set(aclnnMaxPool2dWithMaskBackward_calls aclnnMaxPool2dWithMask aclnnDropoutBackward)
set(aclnnPreluBackward_calls aclnnDropoutBackward)
set(aclnnSilu_calls aclnnDropoutBackward aclnnHardsigmoidBackward)
set(aclnnSoftshrink_calls aclnnDropoutBackward aclnnHardsigmoidBackward)

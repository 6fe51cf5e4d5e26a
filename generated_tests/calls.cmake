# SPDX-License-Identifier: Apache-2.0
# Generated from the specs by `aclnn-cts generate`; edit the specs, not this file.
# The operators that each program calls besides its own: the one that makes an input, and those that
# run before a call that must not depend on them.
set(aclnnDropoutBackward_calls aclnnFastGelu aclnnGelu aclnnGroupNormSwishGrad aclnnPreluBackward)
set(aclnnFastGelu_calls aclnnDropoutBackward)
set(aclnnFastGeluBackward_calls aclnnDropoutBackward)
set(aclnnGelu_calls aclnnDropoutBackward aclnnGeluV2)
set(aclnnGeluV2_calls aclnnDropoutBackward aclnnGelu)
set(aclnnGroupNormSwishGrad_calls aclnnDropoutBackward)
set(aclnnHardsigmoidBackward_calls aclnnDropoutBackward aclnnGelu)
set(aclnnHardswishBackward_calls aclnnDropoutBackward)
set(aclnnHardswishBackwardV2_calls aclnnDropoutBackward)
set(aclnnLogSigmoid_calls aclnnDropoutBackward)
set(aclnnLogSigmoidBackward_calls aclnnDropoutBackward aclnnGelu)
set(aclnnLogSoftmaxBackward_calls aclnnDropoutBackward aclnnGelu)
set(aclnnLogitGrad_calls aclnnDropoutBackward)
set(aclnnMaxPool2dWithMask_calls)
set(aclnnMaxPool2dWithMaskBackward_calls aclnnMaxPool2dWithMask aclnnDropoutBackward)
set(aclnnPreluBackward_calls aclnnDropoutBackward)
set(aclnnSilu_calls aclnnDropoutBackward aclnnGelu)
set(aclnnSiluBackward_calls aclnnDropoutBackward)
set(aclnnSoftmaxBackward_calls aclnnDropoutBackward aclnnGelu)
set(aclnnSquaredRelu_calls aclnnDropoutBackward)

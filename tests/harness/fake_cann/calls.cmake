# SPDX-License-Identifier: Apache-2.0
# What programs call besides, of the operators that this toolkit has.
set(aclnnLogitGrad_calls aclnnDropoutBackward)
set(aclnnMaxPool2dWithMaskBackward_calls aclnnMaxPool2dWithMask aclnnDropoutBackward)

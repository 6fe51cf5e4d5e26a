// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_ADA_LAYER_NORM_BACKWARD_H_
#define ACLNNOP_ACLNN_ADA_LAYER_NORM_BACKWARD_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnAdaLayerNormBackwardGetWorkspaceSize(
    const aclTensor *gradOut, const aclTensor *input, const aclIntArray *normalizedShape,
    const aclTensor *rstd, const aclTensor *mean, const aclTensor *scale, const aclTensor *shift,
    const aclTensor *weightOptional, const aclTensor *biasOptional, aclTensor *gradInputOut,
    aclTensor *gradScaleOut, aclTensor *gradShiftOut, aclTensor *gradWeightOut,
    aclTensor *gradBiasOut, uint64_t *workspaceSize, aclOpExecutor **executor);

aclnnStatus aclnnAdaLayerNormBackward(void *workspace, uint64_t workspaceSize,
                                      aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_ADA_LAYER_NORM_BACKWARD_H_

// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_MASKED_SOFTMAX_WITH_REL_POS_BIAS_H_
#define ACLNNOP_ACLNN_MASKED_SOFTMAX_WITH_REL_POS_BIAS_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnMaskedSoftmaxWithRelPosBiasGetWorkspaceSize(
    const aclTensor *x, const aclTensor *attenMaskOptional, const aclTensor *relativePosBias,
    double scaleValue, int64_t innerPrecisionMode, const aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor);

aclnnStatus aclnnMaskedSoftmaxWithRelPosBias(void *workspace, uint64_t workspaceSize,
                                             aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_MASKED_SOFTMAX_WITH_REL_POS_BIAS_H_

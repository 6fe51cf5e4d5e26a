// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_RMS_NORM_DYNAMIC_QUANT_H_
#define ACLNNOP_ACLNN_RMS_NORM_DYNAMIC_QUANT_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnRmsNormDynamicQuantGetWorkspaceSize(
    const aclTensor *x, const aclTensor *gamma, const aclTensor *smoothScalesOptional,
    const aclTensor *betaOptional, double epsilon, int64_t dstType, const aclTensor *yOut,
    const aclTensor *scaleOut, uint64_t *workspaceSize, aclOpExecutor **executor);

aclnnStatus aclnnRmsNormDynamicQuant(void *workspace, uint64_t workspaceSize,
                                     aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_RMS_NORM_DYNAMIC_QUANT_H_

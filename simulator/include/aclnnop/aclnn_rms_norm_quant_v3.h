// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_RMS_NORM_QUANT_V3_H_
#define ACLNNOP_ACLNN_RMS_NORM_QUANT_V3_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnRmsNormQuantV3GetWorkspaceSize(const aclTensor *x, const aclTensor *gamma,
                                                const aclTensor *scale,
                                                const aclTensor *offsetOptional,
                                                const aclTensor *betaOptional, double epsilon,
                                                bool divMode, bool outputRstd, aclTensor *y,
                                                aclTensor *rstd, uint64_t *workspaceSize,
                                                aclOpExecutor **executor);

aclnnStatus aclnnRmsNormQuantV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_RMS_NORM_QUANT_V3_H_

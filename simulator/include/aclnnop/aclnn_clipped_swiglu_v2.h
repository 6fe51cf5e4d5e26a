// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_CLIPPED_SWIGLU_V2_H_
#define ACLNNOP_ACLNN_CLIPPED_SWIGLU_V2_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnClippedSwigluV2GetWorkspaceSize(const aclTensor *x,
                                                 const aclTensor *groupIndexOptional, int64_t dim,
                                                 double alpha, double limit, double bias,
                                                 bool interleaved, int64_t clampMode,
                                                 const aclTensor *out, uint64_t *workspaceSize,
                                                 aclOpExecutor **executor);

aclnnStatus aclnnClippedSwigluV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_CLIPPED_SWIGLU_V2_H_

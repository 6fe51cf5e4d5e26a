// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_CLIPPED_SWIGLU_H_
#define ACLNNOP_ACLNN_CLIPPED_SWIGLU_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnClippedSwigluGetWorkspaceSize(const aclTensor *x,
                                               const aclTensor *groupIndexOptional, int64_t dim,
                                               double alpha, double limit, double bias,
                                               bool interleaved, const aclTensor *out,
                                               uint64_t *workspaceSize, aclOpExecutor **executor);

aclnnStatus aclnnClippedSwiglu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_CLIPPED_SWIGLU_H_

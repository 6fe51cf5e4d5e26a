// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_SWIGLU_GROUP_H_
#define ACLNNOP_ACLNN_SWIGLU_GROUP_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnSwigluGroupGetWorkspaceSize(const aclTensor *x, const aclTensor *weightOptional,
                                             const aclTensor *groupIndexOptional, double clampLimit,
                                             const aclTensor *out, uint64_t *workspaceSize,
                                             aclOpExecutor **executor);

aclnnStatus aclnnSwigluGroup(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                             aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_SWIGLU_GROUP_H_

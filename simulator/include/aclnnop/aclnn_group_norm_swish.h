// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_GROUP_NORM_SWISH_H_
#define ACLNNOP_ACLNN_GROUP_NORM_SWISH_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnGroupNormSwishGetWorkspaceSize(const aclTensor *x, const aclTensor *gamma,
                                                const aclTensor *beta, int64_t numGroups,
                                                char *dataFormatOptional, double eps,
                                                bool activateSwish, double swishScale,
                                                const aclTensor *yOut, const aclTensor *meanOut,
                                                const aclTensor *rstdOut, uint64_t *workspaceSize,
                                                aclOpExecutor **executor);

aclnnStatus aclnnGroupNormSwish(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_GROUP_NORM_SWISH_H_

// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_INSTANCE_NORM_H_
#define ACLNNOP_ACLNN_INSTANCE_NORM_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnInstanceNormGetWorkspaceSize(const aclTensor *x, const aclTensor *gamma,
                                              const aclTensor *beta, char *dataFormat, double eps,
                                              aclTensor *y, aclTensor *mean, aclTensor *variance,
                                              uint64_t *workspaceSize, aclOpExecutor **executor);

aclnnStatus aclnnInstanceNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_INSTANCE_NORM_H_

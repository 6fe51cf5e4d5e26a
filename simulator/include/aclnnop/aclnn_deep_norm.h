// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_DEEP_NORM_H_
#define ACLNNOP_ACLNN_DEEP_NORM_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnDeepNormGetWorkspaceSize(const aclTensor *x, const aclTensor *gx,
                                          const aclTensor *beta, const aclTensor *gamma,
                                          double alpha, double epsilon, const aclTensor *meanOut,
                                          const aclTensor *rstdOut, const aclTensor *yOut,
                                          uint64_t *workspaceSize, aclOpExecutor **executor);

aclnnStatus aclnnDeepNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                          aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_DEEP_NORM_H_

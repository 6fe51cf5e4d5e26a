// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_SIM_THREAD_EXPONENTIAL_H_
#define ACLNNOP_ACLNN_SIM_THREAD_EXPONENTIAL_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnSimThreadExponentialGetWorkspaceSize(aclTensor *selfRef, int64_t count,
                                                      double lambda, int64_t seed, int64_t offset,
                                                      uint64_t *workspaceSize,
                                                      aclOpExecutor **executor);

aclnnStatus aclnnSimThreadExponential(void *workspace, uint64_t workspaceSize,
                                      aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_SIM_THREAD_EXPONENTIAL_H_

// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_UNIFORM_H_
#define ACLNNOP_ACLNN_UNIFORM_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnInplaceUniformGetWorkspaceSize(const aclTensor *selfRef, double from, double to,
                                                uint64_t seed, uint64_t offset,
                                                uint64_t *workspaceSize, aclOpExecutor **executor);

aclnnStatus aclnnInplaceUniform(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream);

aclnnStatus aclnnInplaceUniformTensorGetWorkspaceSize(const aclTensor *selfRef, double from,
                                                      double to, const aclTensor *seedTensor,
                                                      const aclTensor *offsetTensor,
                                                      uint64_t offset, uint64_t *workspaceSize,
                                                      aclOpExecutor **executor);

aclnnStatus aclnnInplaceUniformTensor(void *workspace, uint64_t workspaceSize,
                                      aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_UNIFORM_H_

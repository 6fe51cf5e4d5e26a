// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_LEAKY_RELU_H_
#define ACLNNOP_ACLNN_LEAKY_RELU_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnLeakyReluGetWorkspaceSize(const aclTensor *self, const aclScalar *negativeSlope,
                                           aclTensor *out, uint64_t *workspaceSize,
                                           aclOpExecutor **executor);

aclnnStatus aclnnLeakyRelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream);

aclnnStatus aclnnInplaceLeakyReluGetWorkspaceSize(aclTensor *selfRef,
                                                  const aclScalar *negativeSlope,
                                                  uint64_t *workspaceSize,
                                                  aclOpExecutor **executor);

aclnnStatus aclnnInplaceLeakyRelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_LEAKY_RELU_H_

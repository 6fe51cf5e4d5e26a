// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_RRELU_WITH_NOISE_H_
#define ACLNNOP_ACLNN_RRELU_WITH_NOISE_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnRReluWithNoiseGetWorkspaceSize(const aclTensor *self, const aclTensor *noise,
                                                const aclScalar *lower, const aclScalar *upper,
                                                bool training, int64_t seed, int64_t offset,
                                                aclTensor *out, uint64_t *workspaceSize,
                                                aclOpExecutor **executor);

aclnnStatus aclnnRReluWithNoise(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream);

aclnnStatus aclnnInplaceRReluWithNoiseGetWorkspaceSize(
    const aclTensor *self, const aclTensor *noise, const aclScalar *lower, const aclScalar *upper,
    bool training, int64_t seed, int64_t offset, uint64_t *workspaceSize, aclOpExecutor **executor);

aclnnStatus aclnnInplaceRReluWithNoise(void *workspace, uint64_t workspaceSize,
                                       aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_RRELU_WITH_NOISE_H_

// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_BATCH_NORM_ELEMT_H_
#define ACLNNOP_ACLNN_BATCH_NORM_ELEMT_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnBatchNormElemtGetWorkspaceSize(const aclTensor *input, const aclTensor *weight,
                                                const aclTensor *bias, aclTensor *mean,
                                                aclTensor *invstd, double eps, aclTensor *output,
                                                uint64_t *workspaceSize, aclOpExecutor **executor);

aclnnStatus aclnnBatchNormElemt(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_BATCH_NORM_ELEMT_H_

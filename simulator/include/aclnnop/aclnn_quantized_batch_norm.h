// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_QUANTIZED_BATCH_NORM_H_
#define ACLNNOP_ACLNN_QUANTIZED_BATCH_NORM_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnQuantizedBatchNormGetWorkspaceSize(
    const aclTensor *input, const aclTensor *mean, const aclTensor *var,
    const aclScalar *inputScale, const aclScalar *inputZeroPoint, const aclScalar *outputScale,
    const aclScalar *outputZeroPoint, aclTensor *weight, aclTensor *bias, float epsilon,
    aclTensor *output, uint64_t *workspaceSize, aclOpExecutor **executor);

aclnnStatus aclnnQuantizedBatchNorm(void *workspace, uint64_t workspaceSize,
                                    aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_QUANTIZED_BATCH_NORM_H_

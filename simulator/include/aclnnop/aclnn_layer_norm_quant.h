// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_LAYER_NORM_QUANT_H_
#define ACLNNOP_ACLNN_LAYER_NORM_QUANT_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnLayerNormQuantGetWorkspaceSize(const aclTensor *x, const aclTensor *gamma,
                                                const aclTensor *beta, const aclTensor *scale,
                                                const aclTensor *zeroPointsOptional, int quantMode,
                                                double epsilon, aclTensor *res, aclTensor *scaleOut,
                                                uint64_t *workspaceSize, aclOpExecutor **executor);

aclnnStatus aclnnLayerNormQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_LAYER_NORM_QUANT_H_

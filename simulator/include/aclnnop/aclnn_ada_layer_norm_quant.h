// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_ADA_LAYER_NORM_QUANT_H_
#define ACLNNOP_ACLNN_ADA_LAYER_NORM_QUANT_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnAdaLayerNormQuantGetWorkspaceSize(
    const aclTensor *x, const aclTensor *scale, const aclTensor *shift,
    const aclTensor *weightOptional, const aclTensor *biasOptional,
    const aclTensor *smoothScalesOptional, double epsilon, char *quantMode, aclTensor *out,
    aclTensor *quantScale, aclTensor *quantOffsetOptional, uint64_t *workspaceSize,
    aclOpExecutor **executor);

aclnnStatus aclnnAdaLayerNormQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_ADA_LAYER_NORM_QUANT_H_

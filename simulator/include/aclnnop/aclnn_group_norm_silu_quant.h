// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_GROUP_NORM_SILU_QUANT_H_
#define ACLNNOP_ACLNN_GROUP_NORM_SILU_QUANT_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnGroupNormSiluQuantGetWorkspaceSize(
    const aclTensor *self, const aclTensor *gammaOptional, const aclTensor *betaOptional,
    const aclTensor *quantScale, int64_t group, double eps, bool activateSilu, aclTensor *out,
    aclTensor *meanOut, aclTensor *rstdOut, uint64_t *workspaceSize, aclOpExecutor **executor);

aclnnStatus aclnnGroupNormSiluQuant(void *workspace, uint64_t workspaceSize,
                                    aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_GROUP_NORM_SILU_QUANT_H_

// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_DEEP_NORM_GRAD_H_
#define ACLNNOP_ACLNN_DEEP_NORM_GRAD_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnDeepNormGradGetWorkspaceSize(const aclTensor *dy, const aclTensor *x,
                                              const aclTensor *gx, const aclTensor *gamma,
                                              const aclTensor *mean, const aclTensor *rstd,
                                              double alpha, const aclTensor *dxOut,
                                              const aclTensor *dgxOut, const aclTensor *dbetaOut,
                                              const aclTensor *dgammaOut, uint64_t *workspaceSize,
                                              aclOpExecutor **executor);

aclnnStatus aclnnDeepNormGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_DEEP_NORM_GRAD_H_

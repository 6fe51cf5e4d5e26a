// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_LINALG_VECTOR_NORM_H_
#define ACLNNOP_ACLNN_LINALG_VECTOR_NORM_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnLinalgVectorNormGetWorkspaceSize(const aclTensor *self, const aclScalar *ord,
                                                  const aclIntArray *dims, bool keepDims,
                                                  aclDataType dtype, aclTensor *out,
                                                  uint64_t *workspaceSize,
                                                  aclOpExecutor **executor);

aclnnStatus aclnnLinalgVectorNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_LINALG_VECTOR_NORM_H_

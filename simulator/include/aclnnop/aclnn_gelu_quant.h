// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_GELU_QUANT_H_
#define ACLNNOP_ACLNN_GELU_QUANT_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnGeluQuantGetWorkspaceSize(const aclTensor *self,
                                           const aclTensor *inputScaleOptional,
                                           const aclTensor *inputOffsetOptional, char *approximate,
                                           char *quantMode, char *roundMode, int64_t dstType,
                                           const aclTensor *y, const aclTensor *outScaleOptional,
                                           uint64_t *workspaceSize, aclOpExecutor **executor);

aclnnStatus aclnnGeluQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_GELU_QUANT_H_

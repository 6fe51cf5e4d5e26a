// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_MULTILABEL_MARGIN_LOSS_H_
#define ACLNNOP_ACLNN_MULTILABEL_MARGIN_LOSS_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnMultilabelMarginLossGetWorkspaceSize(const aclTensor *self,
                                                      const aclTensor *target, int64_t reduction,
                                                      aclTensor *out, aclTensor *isTarget,
                                                      uint64_t *workspaceSize,
                                                      aclOpExecutor **executor);

aclnnStatus aclnnMultilabelMarginLoss(void *workspace, uint64_t workspaceSize,
                                      aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_MULTILABEL_MARGIN_LOSS_H_

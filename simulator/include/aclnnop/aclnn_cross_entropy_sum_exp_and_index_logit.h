// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_CROSS_ENTROPY_SUM_EXP_AND_INDEX_LOGIT_H_
#define ACLNNOP_ACLNN_CROSS_ENTROPY_SUM_EXP_AND_INDEX_LOGIT_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnCrossEntropySumExpAndIndexLogitGetWorkspaceSize(
    const aclTensor *vocabParallelLogits, const aclTensor *target, const aclTensor *globalLogitsMax,
    int64_t vocabStartIndex, int64_t vocabEndIndex, const aclTensor *predictedLogitsOut,
    const aclTensor *sumExpLogitsOut, const aclTensor *expLogitsOut,
    const aclTensor *targetOffsetOut, const aclTensor *targetMaskOut, uint64_t *workspaceSize,
    aclOpExecutor **executor);

aclnnStatus aclnnCrossEntropySumExpAndIndexLogit(void *workspace, uint64_t workspaceSize,
                                                 aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_CROSS_ENTROPY_SUM_EXP_AND_INDEX_LOGIT_H_

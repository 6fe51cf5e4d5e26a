// SPDX-License-Identifier: Apache-2.0
// Generated from the specs by `aclnn-cts generate`; edit the spec, not this file.
#ifndef ACLNNOP_ACLNN_CHAMFER_DISTANCE_BACKWARD_H_
#define ACLNNOP_ACLNN_CHAMFER_DISTANCE_BACKWARD_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnChamferDistanceBackwardGetWorkspaceSize(
    const aclTensor *xyz1, const aclTensor *xyz2, const aclTensor *idx1, const aclTensor *idx2,
    const aclTensor *gradDist1, const aclTensor *gradDist2, aclTensor *gradXyz1,
    aclTensor *gradXyz2, uint64_t *workspaceSize, aclOpExecutor **executor);

aclnnStatus aclnnChamferDistanceBackward(void *workspace, uint64_t workspaceSize,
                                         aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_CHAMFER_DISTANCE_BACKWARD_H_

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnChamferDistanceBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_chamfer_distance_backward.h"

namespace {

aclnnStatus PlanChamferDistanceBackward(const aclnn_cts::Arguments &arguments,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnChamferDistanceBackwardGetWorkspaceSize(
      arguments.Tensor("xyz1"), arguments.Tensor("xyz2"), arguments.Tensor("idx1"),
      arguments.Tensor("idx2"), arguments.Tensor("gradDist1"), arguments.Tensor("gradDist2"),
      arguments.Tensor("gradXyz1"), arguments.Tensor("gradXyz2"), workspaceSize, executor);
}

const aclnn_cts::Registration kChamferDistanceBackward({"aclnnChamferDistanceBackward",
                                                        PlanChamferDistanceBackward,
                                                        aclnnChamferDistanceBackward});

}  // namespace

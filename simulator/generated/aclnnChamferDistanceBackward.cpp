// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnChamferDistanceBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_chamfer_distance_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckChamferDistanceBackward(const TensorParameter &xyz1, const TensorParameter &xyz2,
                                  const TensorParameter &idx1, const TensorParameter &idx2,
                                  const TensorParameter &gradDist1,
                                  const TensorParameter &gradDist2, const TensorParameter &gradXyz1,
                                  const TensorParameter &gradXyz2) {
  RequireNotNull({xyz1, xyz2, idx1, idx2, gradDist1, gradDist2, gradXyz1, gradXyz2});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({xyz1}, {ACL_FLOAT, ACL_FLOAT16});
  RequireDataType({idx1, idx2}, {ACL_INT32});
  RequireSameDataType({xyz2, gradDist1, gradDist2, gradXyz1, gradXyz2}, xyz1);
  RequirePublicFormat({xyz1, xyz2, idx1, idx2, gradDist1, gradDist2, gradXyz1, gradXyz2});
  RequireRank({xyz1, xyz2, gradXyz1, gradXyz2}, 3, 3);
  RequireRank({idx1, idx2, gradDist1, gradDist2}, 2, 2);
  RequireShape(xyz1, {Extent(idx1, 0), Extent(idx1, 1), 2});
  RequireShape(xyz2, {Extent(idx1, 0), Extent(idx1, 1), 2});
  RequireShape(idx2, {Extent(idx1, 0), Extent(idx1, 1)});
  RequireShape(gradDist1, {Extent(idx1, 0), Extent(idx1, 1)});
  RequireShape(gradDist2, {Extent(idx1, 0), Extent(idx1, 1)});
  RequireShape(gradXyz1, {Extent(idx1, 0), Extent(idx1, 1), 2});
  RequireShape(gradXyz2, {Extent(idx1, 0), Extent(idx1, 1), 2});
}

}  // namespace

aclnnStatus aclnnChamferDistanceBackwardGetWorkspaceSize(
    const aclTensor *xyz1, const aclTensor *xyz2, const aclTensor *idx1, const aclTensor *idx2,
    const aclTensor *gradDist1, const aclTensor *gradDist2, aclTensor *gradXyz1,
    aclTensor *gradXyz2, uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnChamferDistanceBackward", workspaceSize, executor, [&] {
    CheckChamferDistanceBackward({"xyz1", xyz1}, {"xyz2", xyz2}, {"idx1", idx1}, {"idx2", idx2},
                                 {"gradDist1", gradDist1}, {"gradDist2", gradDist2},
                                 {"gradXyz1", gradXyz1}, {"gradXyz2", gradXyz2});
    return Work{0, [xyz1 = *xyz1, xyz2 = *xyz2, idx1 = *idx1, idx2 = *idx2, gradDist1 = *gradDist1,
                    gradDist2 = *gradDist2, gradXyz1 = *gradXyz1, gradXyz2 = *gradXyz2](void *) {
                  StandIn({gradXyz1, gradXyz2}, {xyz1, xyz2, idx1, idx2, gradDist1, gradDist2});
                }};
  });
}

aclnnStatus aclnnChamferDistanceBackward(void *workspace, uint64_t workspaceSize,
                                         aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnChamferDistanceBackward", workspace, workspaceSize, executor, stream);
}

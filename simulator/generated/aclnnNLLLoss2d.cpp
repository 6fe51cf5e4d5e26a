// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNLLLoss2d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_nll_loss2d.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckNLLLoss2d(const TensorParameter &self, const TensorParameter &target,
                    const TensorParameter &weight, int64_t reduction, const TensorParameter &out,
                    const TensorParameter &totalWeightOut) {
  RequireNotNull({self, target, weight, out, totalWeightOut});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({target}, {ACL_INT64, ACL_UINT8, ACL_INT32});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({weight, out, totalWeightOut}, self);
  RequirePublicFormat({self, target, weight, out, totalWeightOut});
  RequireRank({self}, 4, 4);
  RequireRank({target}, 3, 3);
  RequireRank({weight, totalWeightOut}, 1, 1);
  RequireRank({out}, 1, 3);
  RequireContiguous({out, totalWeightOut});
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
  RequireShape(
      out, reduction == 0 ? Shape{Extent(self, 0), Extent(self, 2), Extent(self, 3)} : Shape{1});
  RequireShape(target, {Extent(self, 0), Extent(self, 2), Extent(self, 3)});
  RequireShape(weight, {Extent(self, 1)});
  RequireShape(totalWeightOut, {1});
}

}  // namespace

aclnnStatus aclnnNLLLoss2dGetWorkspaceSize(const aclTensor *self, const aclTensor *target,
                                           const aclTensor *weight, int64_t reduction,
                                           int64_t ignoreIndex, aclTensor *out,
                                           aclTensor *totalWeightOut, uint64_t *workspaceSize,
                                           aclOpExecutor **executor) {
  static_cast<void>(ignoreIndex);
  return PlanOperator("aclnnNLLLoss2d", workspaceSize, executor, [&] {
    CheckNLLLoss2d({"self", self}, {"target", target}, {"weight", weight}, reduction, {"out", out},
                   {"totalWeightOut", totalWeightOut});
    return Work{0, [self = *self, target = *target, weight = *weight, out = *out,
                    totalWeightOut = *totalWeightOut](void *) {
                  StandIn({out, totalWeightOut}, {self, target, weight});
                }};
  });
}

aclnnStatus aclnnNLLLoss2d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream) {
  return LaunchOperator("aclnnNLLLoss2d", workspace, workspaceSize, executor, stream);
}

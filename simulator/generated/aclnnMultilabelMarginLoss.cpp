// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMultilabelMarginLoss.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_multilabel_margin_loss.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckMultilabelMarginLoss(const TensorParameter &self, const TensorParameter &target,
                               int64_t reduction, const TensorParameter &out,
                               const TensorParameter &isTarget) {
  RequireNotNull({self, target, out, isTarget});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({target}, {ACL_INT64, ACL_INT32});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({out, isTarget}, self);
  RequirePublicFormat({self, target, out, isTarget});
  RequireRank({self, target, isTarget}, 1, 2);
  RequireRank({out}, 0, 1);
  RequireSameShape({target, isTarget}, self);
  RequireContiguous({out});
  Require(Extent(self, -1) > 0, "self has classes");
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
  RequireShape(out, (reduction == 0) && (self->Rank() == 2) ? Shape{Extent(self, 0)} : Shape{});
}

}  // namespace

aclnnStatus aclnnMultilabelMarginLossGetWorkspaceSize(const aclTensor *self,
                                                      const aclTensor *target, int64_t reduction,
                                                      aclTensor *out, aclTensor *isTarget,
                                                      uint64_t *workspaceSize,
                                                      aclOpExecutor **executor) {
  return PlanOperator("aclnnMultilabelMarginLoss", workspaceSize, executor, [&] {
    CheckMultilabelMarginLoss({"self", self}, {"target", target}, reduction, {"out", out},
                              {"isTarget", isTarget});
    return Work{0, [self = *self, target = *target, out = *out, isTarget = *isTarget](void *) {
                  StandIn({out, isTarget}, {self, target});
                }};
  });
}

aclnnStatus aclnnMultilabelMarginLoss(void *workspace, uint64_t workspaceSize,
                                      aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnMultilabelMarginLoss", workspace, workspaceSize, executor, stream);
}

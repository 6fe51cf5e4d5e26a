// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNLLLoss.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/nll_loss.h, not this file.
#include "aclnnop/aclnn_nll_loss.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/nll_loss.h"

using namespace simulator;

namespace {

void CheckNLLLoss(const TensorParameter &self, const TensorParameter &target,
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
  RequireRank({self}, 1, 2);
  RequireRank({target}, 0, 1);
  RequireRank({weight, out, totalWeightOut}, 1, 1);
  RequireContiguous({out, totalWeightOut});
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
  RequireShape(target, Leading(self->shape, -(1)));
  RequireShape(out, (reduction == 0) && (self->Rank() == 2) ? Shape{Extent(self, 0)} : Shape{1});
  RequireShape(weight, {Extent(self, -(1))});
  RequireShape(totalWeightOut, {1});
}

}  // namespace

aclnnStatus aclnnNLLLossGetWorkspaceSize(const aclTensor *self, const aclTensor *target,
                                         const aclTensor *weight, int64_t reduction,
                                         int64_t ignoreIndex, aclTensor *out,
                                         aclTensor *totalWeightOut, uint64_t *workspaceSize,
                                         aclOpExecutor **executor) {
  return PlanOperator("aclnnNLLLoss", workspaceSize, executor, [&] {
    CheckNLLLoss({"self", self}, {"target", target}, {"weight", weight}, reduction, {"out", out},
                 {"totalWeightOut", totalWeightOut});
    return Work{0, [self = *self, target = *target, weight = *weight, out = *out,
                    totalWeightOut = *totalWeightOut, reduction = reduction,
                    ignoreIndex = ignoreIndex](void *) {
                  NLLLoss(self, target, weight, out, totalWeightOut, reduction, ignoreIndex);
                }};
  });
}

aclnnStatus aclnnNLLLoss(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                         aclrtStream stream) {
  return LaunchOperator("aclnnNLLLoss", workspace, workspaceSize, executor, stream);
}

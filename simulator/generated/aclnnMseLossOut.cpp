// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMseLossOut.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_mse_loss_out.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckMseLossOut(const TensorParameter &self, const TensorParameter &target, int64_t reduction,
                     const TensorParameter &out) {
  RequireNotNull({self, target, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self, target, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self, target, out}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self, target, out}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequirePublicFormat({self, target, out});
  RequireRank({self, target}, 1, 8);
  RequireRank({out}, 0, 8);
  RequireShape(out, reduction == 0 ? BroadcastShape({self, target}) : Shape{});
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
  Require((reduction == 0) || ((self->Rank() == 1) && (target->Rank() == 1)),
          "for a reduction of 1 or 2 the first axis is the only one, so that out has none by the "
          "remarks as well");
}

}  // namespace

aclnnStatus aclnnMseLossOutGetWorkspaceSize(const aclTensor *self, const aclTensor *target,
                                            int64_t reduction, aclTensor *out,
                                            uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnMseLossOut", workspaceSize, executor, [&] {
    CheckMseLossOut({"self", self}, {"target", target}, reduction, {"out", out});
    return Work{0, [self = *self, target = *target, out = *out](void *) {
                  StandIn({out}, {self, target});
                }};
  });
}

aclnnStatus aclnnMseLossOut(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                            aclrtStream stream) {
  return LaunchOperator("aclnnMseLossOut", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGluBackward.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/glu_backward.h, not this file.
#include "aclnnop/aclnn_glu_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/glu_backward.h"

using namespace simulator;

namespace {

void CheckGluBackward(const TensorParameter &gradOut, const TensorParameter &self, int64_t dim,
                      const TensorParameter &out) {
  RequireNotNull({gradOut, self, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasTraining);
  RequireSameDataType({gradOut, out}, self);
  RequirePublicFormat({gradOut, self, out});
  RequireRank({gradOut, self, out}, 1, 8);
  RequireSameShape({out}, self);
  Require(-(self->Rank()) <= dim && dim < self->Rank(), "dim names an axis of self");
  Require((Extent(self, dim) % 2) == 0, "the extent of self along the axis dim is even");
  RequireShape(gradOut, Resized(self->shape, dim, (Extent(self, dim) / 2)));
}

}  // namespace

aclnnStatus aclnnGluBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *self,
                                             int64_t dim, const aclTensor *out,
                                             uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnGluBackward", workspaceSize, executor, [&] {
    CheckGluBackward({"gradOut", gradOut}, {"self", self}, dim, {"out", out});
    return Work{0, [gradOut = *gradOut, self = *self, out = *out, dim = dim](void *) {
                  const auto kernel = [](const auto &...rows) { return GluBackward(rows...); };
                  MapRowsInOwnType(out, dim, kernel, gradOut, self);
                }};
  });
}

aclnnStatus aclnnGluBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                             aclrtStream stream) {
  return LaunchOperator("aclnnGluBackward", workspace, workspaceSize, executor, stream);
}

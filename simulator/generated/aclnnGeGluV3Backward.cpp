// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeGluV3Backward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_geglu_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckGeGluV3Backward(const TensorParameter &gradOutput, const TensorParameter &self,
                          const TensorParameter &gelu, int64_t dim, int64_t approximate,
                          const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, self, gelu, gradInput});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({gradOutput, gelu, gradInput}, self);
  RequirePublicFormat({gradOutput, self, gelu, gradInput});
  RequireRank({gradOutput, self, gelu, gradInput}, 1, 8);
  RequireSameShape({gelu}, gradOutput);
  RequireSameShape({gradInput}, self);
  Require(-(self->Rank()) <= dim && dim < self->Rank(), "dim names an axis of self");
  Require((Extent(self, dim) % 2) == 0,
          "self has twice the extent of gradOutput along the axis dim");
  Require((approximate == 0) || (approximate == 1), "approximate is 0 or 1");
  if (IsOn({Product::kAtlasInference}))
    Require(approximate == 1, "on the Atlas inference series approximate is 1");
  RequireShape(gradOutput, Resized(self->shape, dim, (Extent(self, dim) / 2)));
}

}  // namespace

aclnnStatus aclnnGeGluV3BackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
                                                 const aclTensor *gelu, int64_t dim,
                                                 int64_t approximate, bool activateLeft,
                                                 aclTensor *gradInput, uint64_t *workspaceSize,
                                                 aclOpExecutor **executor) {
  static_cast<void>(activateLeft);
  return PlanOperator("aclnnGeGluV3Backward", workspaceSize, executor, [&] {
    CheckGeGluV3Backward({"gradOutput", gradOutput}, {"self", self}, {"gelu", gelu}, dim,
                         approximate, {"gradInput", gradInput});
    return Work{0, [gradOutput = *gradOutput, self = *self, gelu = *gelu, gradInput = *gradInput](
                       void *) { StandIn({gradInput}, {gradOutput, self, gelu}); }};
  });
}

aclnnStatus aclnnGeGluV3Backward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                 aclrtStream stream) {
  return LaunchOperator("aclnnGeGluV3Backward", workspace, workspaceSize, executor, stream);
}

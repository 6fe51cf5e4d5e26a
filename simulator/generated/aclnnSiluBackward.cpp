// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSiluBackward.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/silu_backward.h, not this file.
#include "aclnnop/aclnn_silu_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/silu_backward.h"

using namespace simulator;

namespace {

void CheckSiluBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                       const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, self, gradInput});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({gradOutput, gradInput}, self);
  RequirePublicFormat({gradOutput, self, gradInput});
  RequireRank({gradOutput, self, gradInput}, 1, 8);
  RequireSameShape({gradOutput, gradInput}, self);
}

}  // namespace

aclnnStatus aclnnSiluBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
                                              aclTensor *gradInput, uint64_t *workspaceSize,
                                              aclOpExecutor **executor) {
  return PlanOperator("aclnnSiluBackward", workspaceSize, executor, [&] {
    CheckSiluBackward({"gradOutput", gradOutput}, {"self", self}, {"gradInput", gradInput});
    return Work{0, [gradOutput = *gradOutput, self = *self, gradInput = *gradInput](void *) {
                  Map(gradInput, SiluBackward, gradOutput, self);
                }};
  });
}

aclnnStatus aclnnSiluBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                              aclrtStream stream) {
  return LaunchOperator("aclnnSiluBackward", workspace, workspaceSize, executor, stream);
}

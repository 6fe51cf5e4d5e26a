// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeluBackwardV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_gelu_backward_v2.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckGeluBackwardV2(const TensorParameter &gradOutput, const TensorParameter &self,
                         char *approximate, const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, self, gradInput});
  RequireText(approximate, "approximate");
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({gradOutput, self, gradInput}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({gradOutput, self, gradInput}, {ACL_FLOAT, ACL_FLOAT16},
                  Product::kAtlasInference);
  RequireDataType({gradOutput, self, gradInput}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequirePublicFormat({gradOutput, self, gradInput});
  RequireRank({gradOutput, self, gradInput}, 0, 8);
  RequireBroadcast({gradOutput, self}, gradInput);
  Require(
      Digits(gradInput->dataType) ==
          (Digits(self->dataType) == Digits(gradOutput->dataType) ? Digits(self->dataType) : 24),
      "gradInput has the data type to which those of gradOutput and self are promoted");
  Require((std::string(approximate) == "none") || (std::string(approximate) == "tanh"),
          "approximate is none or tanh");
}

}  // namespace

aclnnStatus aclnnGeluBackwardV2GetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
                                                char *approximate, aclTensor *gradInput,
                                                uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnGeluBackwardV2", workspaceSize, executor, [&] {
    CheckGeluBackwardV2({"gradOutput", gradOutput}, {"self", self}, approximate,
                        {"gradInput", gradInput});
    return Work{0, [gradOutput = *gradOutput, self = *self, gradInput = *gradInput](void *) {
                  StandIn({gradInput}, {gradOutput, self});
                }};
  });
}

aclnnStatus aclnnGeluBackwardV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream) {
  return LaunchOperator("aclnnGeluBackwardV2", workspace, workspaceSize, executor, stream);
}

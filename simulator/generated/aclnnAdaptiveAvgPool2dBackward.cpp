// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaptiveAvgPool2dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_adaptive_avg_pool2d_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAdaptiveAvgPool2dBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                                    const TensorParameter &out) {
  RequireNotNull({gradOutput, self, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({gradOutput, out}, self);
  RequireFormat({gradOutput, self, out}, {ACL_FORMAT_NCHW, ACL_FORMAT_NCL, ACL_FORMAT_ND});
  RequireRank({gradOutput, self, out}, 3, 4);
  RequireSameShape({out}, self);
  Require((ElementCount(Shape(gradOutput->shape.begin(), gradOutput->shape.end() - 2)) > 0) &&
              (Extent(gradOutput, -2) > 0) && (Extent(gradOutput, -1) > 0),
          "no extent is 0, of which the page says nothing");
  Require(
      (Extent(gradOutput, -2) <= Extent(self, -2)) && (Extent(gradOutput, -1) <= Extent(self, -1)),
      "gradOutput has no more windows along an axis than self has elements");
  RequireShape(self, Joined(Shape(gradOutput->shape.begin(), gradOutput->shape.end() - 2),
                            {Extent(self, -2), Extent(self, -1)}));
}

}  // namespace

aclnnStatus aclnnAdaptiveAvgPool2dBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                           const aclTensor *self, aclTensor *out,
                                                           uint64_t *workspaceSize,
                                                           aclOpExecutor **executor) {
  return PlanOperator("aclnnAdaptiveAvgPool2dBackward", workspaceSize, executor, [&] {
    CheckAdaptiveAvgPool2dBackward({"gradOutput", gradOutput}, {"self", self}, {"out", out});
    return Work{0, [gradOutput = *gradOutput, self = *self, out = *out](void *) {
                  StandIn({out}, {gradOutput, self});
                }};
  });
}

aclnnStatus aclnnAdaptiveAvgPool2dBackward(void *workspace, uint64_t workspaceSize,
                                           aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnAdaptiveAvgPool2dBackward", workspace, workspaceSize, executor,
                        stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaptiveAvgPool3dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_adaptive_avg_pool3d_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAdaptiveAvgPool3dBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                                    const TensorParameter &out) {
  RequireNotNull({gradOutput, self, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({gradOutput, out}, self);
  RequireFormat({gradOutput, self, out}, {ACL_FORMAT_NCDHW, ACL_FORMAT_ND});
  RequireSameFormat({self}, gradOutput);
  RequireRank({gradOutput, self, out}, 4, 5);
  RequireSameShape({out}, self);
  Require(
      (Extent(self, -3) > 0) && (Extent(self, -2) > 0) && (Extent(self, -1) > 0) &&
          (Extent(gradOutput, -3) > 0) && (Extent(gradOutput, -2) > 0) &&
          (Extent(gradOutput, -1) > 0) &&
          (Number(Shape(gradOutput->shape.begin(), gradOutput->shape.end() - 3),
                  (Length(Shape(gradOutput->shape.begin(), gradOutput->shape.end() - 3)) - 1)) > 0),
      "the extents of gradOutput and self are above 0, but for the first one of five");
  if (IsOn({Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference,
            Product::kAtlasTraining}))
    Require(Number(Shape(gradOutput->shape.begin(), gradOutput->shape.end() - 3), 0) > 0,
            "the first extent is above 0, too");
  Require(((Extent(gradOutput, -3) <= Extent(self, -3)) || (Extent(self, -3) == 0)) &&
              ((Extent(gradOutput, -2) <= Extent(self, -2)) || (Extent(self, -2) == 0)) &&
              ((Extent(gradOutput, -1) <= Extent(self, -1)) || (Extent(self, -1) == 0)),
          "gradOutput has no more windows along an axis than self has elements");
  RequireShape(self, Joined(Shape(gradOutput->shape.begin(), gradOutput->shape.end() - 3),
                            {Extent(self, -3), Extent(self, -2), Extent(self, -1)}));
}

}  // namespace

aclnnStatus aclnnAdaptiveAvgPool3dBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                           const aclTensor *self, aclTensor *out,
                                                           uint64_t *workspaceSize,
                                                           aclOpExecutor **executor) {
  return PlanOperator("aclnnAdaptiveAvgPool3dBackward", workspaceSize, executor, [&] {
    CheckAdaptiveAvgPool3dBackward({"gradOutput", gradOutput}, {"self", self}, {"out", out});
    return Work{0, [gradOutput = *gradOutput, self = *self, out = *out](void *) {
                  StandIn({out}, {gradOutput, self});
                }};
  });
}

aclnnStatus aclnnAdaptiveAvgPool3dBackward(void *workspace, uint64_t workspaceSize,
                                           aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnAdaptiveAvgPool3dBackward", workspace, workspaceSize, executor,
                        stream);
}

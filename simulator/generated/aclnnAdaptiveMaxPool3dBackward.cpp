// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaptiveMaxPool3dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_adaptive_max_pool3d_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAdaptiveMaxPool3dBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                                    const TensorParameter &indices,
                                    const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, self, indices, gradInput});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({gradOutput}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({indices}, {ACL_INT32, ACL_INT64});
  RequireDataType({indices}, {ACL_INT32}, Product::kAtlasA3);
  RequireDataType({indices}, {ACL_INT32}, Product::kAtlasA2);
  RequireSameDataType({self, gradInput}, gradOutput);
  RequirePublicFormat({gradOutput, self, indices, gradInput});
  RequireRank({gradOutput, self, indices, gradInput}, 4, 5);
  RequireSameShape({indices}, gradOutput);
  RequireSameShape({gradInput}, self);
  Require((ElementCount(Shape(gradOutput->shape.begin(), gradOutput->shape.end() - 3)) > 0) &&
              (Extent(gradOutput, -3) > 0) && (Extent(gradOutput, -2) > 0) &&
              (Extent(gradOutput, -1) > 0) && (Extent(self, -3) > 0) && (Extent(self, -2) > 0) &&
              (Extent(self, -1) > 0),
          "no extent is 0, of which the page says nothing");
  Require(((Extent(gradOutput, -3) == 1) || (Extent(self, -3) == 1)) &&
              ((Extent(gradOutput, -2) == 1) || (Extent(self, -2) == 1)) &&
              ((Extent(gradOutput, -1) == 1) || (Extent(self, -1) == 1)),
          "each window holds the first element of the volume, which indices names");
  RequireShape(self, Joined(Shape(gradOutput->shape.begin(), gradOutput->shape.end() - 3),
                            {Extent(self, -3), Extent(self, -2), Extent(self, -1)}));
}

}  // namespace

aclnnStatus aclnnAdaptiveMaxPool3dBackwardGetWorkspaceSize(
    const aclTensor *gradOutput, const aclTensor *self, const aclTensor *indices,
    aclTensor *gradInput, uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnAdaptiveMaxPool3dBackward", workspaceSize, executor, [&] {
    CheckAdaptiveMaxPool3dBackward({"gradOutput", gradOutput}, {"self", self}, {"indices", indices},
                                   {"gradInput", gradInput});
    return Work{
        0, [gradOutput = *gradOutput, self = *self, indices = *indices,
            gradInput = *gradInput](void *) { StandIn({gradInput}, {gradOutput, self, indices}); }};
  });
}

aclnnStatus aclnnAdaptiveMaxPool3dBackward(void *workspace, uint64_t workspaceSize,
                                           aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnAdaptiveMaxPool3dBackward", workspace, workspaceSize, executor,
                        stream);
}

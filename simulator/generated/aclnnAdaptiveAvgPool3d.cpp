// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaptiveAvgPool3d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_adaptive_avg_pool3d.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAdaptiveAvgPool3d(const TensorParameter &self, const IntArrayParameter &outputSize,
                            const TensorParameter &out) {
  RequireNotNull({self, out}, {outputSize});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({out}, self);
  RequireFormat({self, out}, {ACL_FORMAT_ND, ACL_FORMAT_NCDHW});
  RequireRank({self, out}, 4, 5);
  Require(Length(Numbers(outputSize)) == 3, "outputSize has three numbers");
  Require((Number(Numbers(outputSize), 0) > 0) && (Number(Numbers(outputSize), 1) > 0) &&
              (Number(Numbers(outputSize), 2) > 0),
          "the numbers of outputSize are above 0");
  Require((Extent(self, -3) > 0) && (Extent(self, -2) > 0) && (Extent(self, -1) > 0) &&
              ((Length(Shape(self->shape.begin(), self->shape.end() - 3)) == 1) ||
               (Number(Shape(self->shape.begin(), self->shape.end() - 3), 1) > 0)),
          "the extents of self are above 0, but for the first one");
  Require((Number(Numbers(outputSize), 0) <= Extent(self, -3)) &&
              (Number(Numbers(outputSize), 1) <= Extent(self, -2)) &&
              (Number(Numbers(outputSize), 2) <= Extent(self, -1)),
          "the numbers of outputSize are not beyond the extents of self, so that each window holds "
          "elements of its own");
  RequireShape(out, Joined(Shape(self->shape.begin(), self->shape.end() - 3),
                           {Number(Numbers(outputSize), 0), Number(Numbers(outputSize), 1),
                            Number(Numbers(outputSize), 2)}));
}

}  // namespace

aclnnStatus aclnnAdaptiveAvgPool3dGetWorkspaceSize(const aclTensor *self,
                                                   const aclIntArray *outputSize, aclTensor *out,
                                                   uint64_t *workspaceSize,
                                                   aclOpExecutor **executor) {
  return PlanOperator("aclnnAdaptiveAvgPool3d", workspaceSize, executor, [&] {
    CheckAdaptiveAvgPool3d({"self", self}, {"outputSize", outputSize}, {"out", out});
    return Work{0, [self = *self, out = *out](void *) { StandIn({out}, {self}); }};
  });
}

aclnnStatus aclnnAdaptiveAvgPool3d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnAdaptiveAvgPool3d", workspace, workspaceSize, executor, stream);
}

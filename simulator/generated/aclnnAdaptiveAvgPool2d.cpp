// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaptiveAvgPool2d.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/adaptive_avg_pool2d.h, not this file.
#include "aclnnop/aclnn_adaptive_avg_pool2d.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/adaptive_avg_pool2d.h"

using namespace simulator;

namespace {

void CheckAdaptiveAvgPool2d(const TensorParameter &self, const IntArrayParameter &outputSize,
                            const TensorParameter &out) {
  RequireNotNull({self, out}, {outputSize});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({out}, self);
  RequireFormat({self, out}, {ACL_FORMAT_NCHW, ACL_FORMAT_NCL});
  RequireSameFormat({out}, self);
  RequireRank({self, out}, 3, 4);
  Require(Length(Numbers(outputSize)) == 2, "outputSize has two numbers");
  Require((Number(Numbers(outputSize), 0) > 0) && (Number(Numbers(outputSize), 1) > 0),
          "the numbers of outputSize are above 0");
  Require((Extent(self, -2) > 0) && (Extent(self, -1) > 0) &&
              ((Length(Shape(self->shape.begin(), self->shape.end() - 2)) == 1) ||
               (Number(Shape(self->shape.begin(), self->shape.end() - 2), 1) > 0)),
          "the extents of self are above 0, but for the first one");
  Require((Number(Numbers(outputSize), 0) <= Extent(self, -2)) &&
              (Number(Numbers(outputSize), 1) <= Extent(self, -1)),
          "the numbers of outputSize are not beyond the extents of self");
  RequireShape(out, Joined(Shape(self->shape.begin(), self->shape.end() - 2),
                           {Number(Numbers(outputSize), 0), Number(Numbers(outputSize), 1)}));
}

}  // namespace

aclnnStatus aclnnAdaptiveAvgPool2dGetWorkspaceSize(const aclTensor *self,
                                                   const aclIntArray *outputSize, aclTensor *out,
                                                   uint64_t *workspaceSize,
                                                   aclOpExecutor **executor) {
  return PlanOperator("aclnnAdaptiveAvgPool2d", workspaceSize, executor, [&] {
    CheckAdaptiveAvgPool2d({"self", self}, {"outputSize", outputSize}, {"out", out});
    return Work{0, [self = *self, out = *out, outputSize = Numbers(outputSize)](void *) {
                  AdaptiveAvgPool2d(self, out, outputSize);
                }};
  });
}

aclnnStatus aclnnAdaptiveAvgPool2d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnAdaptiveAvgPool2d", workspace, workspaceSize, executor, stream);
}

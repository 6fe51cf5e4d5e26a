// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaptiveMaxPool2d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_adaptive_max_pool2d.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAdaptiveMaxPool2d(const TensorParameter &self, const IntArrayParameter &outputSize,
                            const TensorParameter &outputOut, const TensorParameter &indicesOut) {
  RequireNotNull({self, outputOut, indicesOut}, {outputSize});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE});
  RequireDataType({indicesOut}, {ACL_INT64});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasTraining);
  RequireSameDataType({outputOut}, self);
  RequireFormat({self, outputOut, indicesOut}, {ACL_FORMAT_NCHW, ACL_FORMAT_NCL, ACL_FORMAT_NHWC});
  RequireRank({self, outputOut, indicesOut}, 3, 4);
  RequireSameShape({indicesOut}, outputOut);
  Require(Length(Numbers(outputSize)) == 2, "outputSize has two numbers");
  Require((Number(Numbers(outputSize), 0) > 0) && (Number(Numbers(outputSize), 1) > 0),
          "the numbers of outputSize are above 0");
  Require((Extent(self, -2) > 0) && (Extent(self, -1) > 0) &&
              ((Length(Shape(self->shape.begin(), self->shape.end() - 2)) == 1) ||
               (Number(Shape(self->shape.begin(), self->shape.end() - 2), 1) > 0)),
          "the extents of self are above 0, but for the first one");
  Require((Number(Numbers(outputSize), 0) <= Extent(self, -2)) &&
              (Number(Numbers(outputSize), 1) <= Extent(self, -1)),
          "the numbers of outputSize are not beyond the extents of self, so that each window holds "
          "elements of its own");
  RequireShape(outputOut, Joined(Shape(self->shape.begin(), self->shape.end() - 2),
                                 {Number(Numbers(outputSize), 0), Number(Numbers(outputSize), 1)}));
}

}  // namespace

aclnnStatus aclnnAdaptiveMaxPool2dGetWorkspaceSize(const aclTensor *self,
                                                   const aclIntArray *outputSize,
                                                   aclTensor *outputOut, aclTensor *indicesOut,
                                                   uint64_t *workspaceSize,
                                                   aclOpExecutor **executor) {
  return PlanOperator("aclnnAdaptiveMaxPool2d", workspaceSize, executor, [&] {
    CheckAdaptiveMaxPool2d({"self", self}, {"outputSize", outputSize}, {"outputOut", outputOut},
                           {"indicesOut", indicesOut});
    return Work{0, [self = *self, outputOut = *outputOut, indicesOut = *indicesOut](void *) {
                  StandIn({outputOut, indicesOut}, {self});
                }};
  });
}

aclnnStatus aclnnAdaptiveMaxPool2d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnAdaptiveMaxPool2d", workspace, workspaceSize, executor, stream);
}

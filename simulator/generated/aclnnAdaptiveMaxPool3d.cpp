// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaptiveMaxPool3d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_adaptive_max_pool3d.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAdaptiveMaxPool3d(const TensorParameter &self, const IntArrayParameter &outputSize,
                            const TensorParameter &outputOut, const TensorParameter &indicesOut) {
  RequireNotNull({self, outputOut, indicesOut}, {outputSize});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({indicesOut}, {ACL_INT32, ACL_INT64});
  RequireDataType({indicesOut}, {ACL_INT32}, Product::kAtlasA3);
  RequireDataType({indicesOut}, {ACL_INT32}, Product::kAtlasA2);
  RequireSameDataType({outputOut}, self);
  RequireFormat({self, outputOut, indicesOut}, {ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW});
  RequireRank({self, outputOut, indicesOut}, 4, 5);
  RequireSameShape({indicesOut}, outputOut);
  Require(Length(Numbers(outputSize)) == 3, "outputSize has three numbers");
  Require((Number(Numbers(outputSize), 0) > 0) && (Number(Numbers(outputSize), 1) > 0) &&
              (Number(Numbers(outputSize), 2) > 0),
          "the numbers of outputSize are above 0");
  Require((Number(Numbers(outputSize), 0) <= Extent(self, -3)) &&
              (Number(Numbers(outputSize), 1) <= Extent(self, -2)) &&
              (Number(Numbers(outputSize), 2) <= Extent(self, -1)),
          "the numbers of outputSize are not beyond the extents of self, so that each window holds "
          "elements of its own");
  RequireShape(outputOut, Joined(Shape(self->shape.begin(), self->shape.end() - 3),
                                 {Number(Numbers(outputSize), 0), Number(Numbers(outputSize), 1),
                                  Number(Numbers(outputSize), 2)}));
}

}  // namespace

aclnnStatus aclnnAdaptiveMaxPool3dGetWorkspaceSize(const aclTensor *self,
                                                   const aclIntArray *outputSize,
                                                   aclTensor *outputOut, aclTensor *indicesOut,
                                                   uint64_t *workspaceSize,
                                                   aclOpExecutor **executor) {
  return PlanOperator("aclnnAdaptiveMaxPool3d", workspaceSize, executor, [&] {
    CheckAdaptiveMaxPool3d({"self", self}, {"outputSize", outputSize}, {"outputOut", outputOut},
                           {"indicesOut", indicesOut});
    return Work{0, [self = *self, outputOut = *outputOut, indicesOut = *indicesOut](void *) {
                  StandIn({outputOut, indicesOut}, {self});
                }};
  });
}

aclnnStatus aclnnAdaptiveMaxPool3d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnAdaptiveMaxPool3d", workspace, workspaceSize, executor, stream);
}

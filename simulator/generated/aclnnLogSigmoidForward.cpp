// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogSigmoidForward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_logsigmoid.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckLogSigmoidForward(const TensorParameter &self, const TensorParameter &out,
                            const TensorParameter &buffer) {
  RequireNotNull({self, out, buffer});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({out, buffer}, self);
  RequirePublicFormat({self, out, buffer});
  RequireRank({self, out}, 1, 8);
  RequireSameShape({out, buffer}, self);
  RequireContiguous({buffer});
}

}  // namespace

aclnnStatus aclnnLogSigmoidForwardGetWorkspaceSize(const aclTensor *self, aclTensor *out,
                                                   aclTensor *buffer, uint64_t *workspaceSize,
                                                   aclOpExecutor **executor) {
  return PlanOperator("aclnnLogSigmoidForward", workspaceSize, executor, [&] {
    CheckLogSigmoidForward({"self", self}, {"out", out}, {"buffer", buffer});
    return Work{0, [self = *self, out = *out, buffer = *buffer](void *) {
                  StandIn({out, buffer}, {self});
                }};
  });
}

aclnnStatus aclnnLogSigmoidForward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnLogSigmoidForward", workspace, workspaceSize, executor, stream);
}

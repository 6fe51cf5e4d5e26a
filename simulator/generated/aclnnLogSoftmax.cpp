// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogSoftmax.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/log_softmax.h, not this file.
#include "aclnnop/aclnn_logsoftmax.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/log_softmax.h"

using namespace simulator;

namespace {

void CheckLogSoftmax(const TensorParameter &self, int64_t dim, const TensorParameter &out) {
  RequireNotNull({self, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasTraining);
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 1, 8);
  RequireSameShape({out}, self);
  Require(-(self->Rank()) <= dim && dim < self->Rank(), "dim names an axis of self");
}

}  // namespace

aclnnStatus aclnnLogSoftmaxGetWorkspaceSize(const aclTensor *self, int64_t dim, aclTensor *out,
                                            uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnLogSoftmax", workspaceSize, executor, [&] {
    CheckLogSoftmax({"self", self}, dim, {"out", out});
    return Work{0, [self = *self, out = *out, dim = dim](void *) {
                  const auto kernel = [](const auto &...rows) { return LogSoftmax(rows...); };
                  MapRowsInOwnType(out, dim, kernel, self);
                }};
  });
}

aclnnStatus aclnnLogSoftmax(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                            aclrtStream stream) {
  return LaunchOperator("aclnnLogSoftmax", workspace, workspaceSize, executor, stream);
}

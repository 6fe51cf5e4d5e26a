// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftmax.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/softmax.h, not this file.
#include "aclnnop/aclnn_softmax.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/softmax.h"

using namespace simulator;

namespace {

void CheckSoftmax(const TensorParameter &self, int64_t dim, const TensorParameter &out) {
  RequireNotNull({self, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlas200I500A2, Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlas200I500A2);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasTraining);
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
  Require(-(std::max<int64_t>(self->Rank(), 1)) <= dim && dim < std::max<int64_t>(self->Rank(), 1),
          "dim names an axis of self");
}

}  // namespace

aclnnStatus aclnnSoftmaxGetWorkspaceSize(const aclTensor *self, int64_t dim, aclTensor *out,
                                         uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnSoftmax", workspaceSize, executor, [&] {
    CheckSoftmax({"self", self}, dim, {"out", out});
    return Work{0, [self = *self, out = *out, dim = dim](void *) {
                  const auto kernel = [](const auto &...rows) { return Softmax(rows...); };
                  MapRowsInOwnType(out, dim, kernel, self);
                }};
  });
}

aclnnStatus aclnnSoftmax(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                         aclrtStream stream) {
  return LaunchOperator("aclnnSoftmax", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGlu.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/glu.h, not this file.
#include "aclnnop/aclnn_glu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/glu.h"

using namespace simulator;

namespace {

void CheckGlu(const TensorParameter &self, int64_t dim, const TensorParameter &out) {
  RequireNotNull({self, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_BF16});
  RequireDataType({self, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasInference);
  RequireDataType({self, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasTraining);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 1, 8);
  Require(-(self->Rank()) <= dim && dim < self->Rank(), "dim names an axis of self");
  Require((Extent(self, dim) % 2) == 0, "the extent of self along the axis dim is even");
  RequireShape(out, Resized(self->shape, dim, (Extent(self, dim) / 2)));
}

}  // namespace

aclnnStatus aclnnGluGetWorkspaceSize(const aclTensor *self, int64_t dim, const aclTensor *out,
                                     uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnGlu", workspaceSize, executor, [&] {
    CheckGlu({"self", self}, dim, {"out", out});
    return Work{0, [self = *self, out = *out, dim = dim](void *) {
                  const auto kernel = [](const auto &...rows) { return Glu(rows...); };
                  MapRowsInOwnType(out, dim, kernel, self);
                }};
  });
}

aclnnStatus aclnnGlu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                     aclrtStream stream) {
  return LaunchOperator("aclnnGlu", workspace, workspaceSize, executor, stream);
}

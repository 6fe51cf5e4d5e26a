// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeGlu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_geglu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckGeGlu(const TensorParameter &self, int64_t dim, int64_t approximate,
                const TensorParameter &out, const TensorParameter &outGelu) {
  RequireNotNull({self, out, outGelu});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({out, outGelu}, self);
  RequirePublicFormat({self, out, outGelu});
  RequireRank({self, out, outGelu}, 1, 8);
  Require(-(self->Rank()) <= dim && dim < self->Rank(), "dim names an axis of self");
  Require((Extent(self, dim) % 2) == 0, "the extent of self along the axis dim is even");
  Require((approximate == 0) || (approximate == 1), "approximate is 0 or 1");
  RequireShape(out, Resized(self->shape, dim, (Extent(self, dim) / 2)));
  RequireShape(outGelu, Resized(self->shape, dim, (Extent(self, dim) / 2)));
}

}  // namespace

aclnnStatus aclnnGeGluGetWorkspaceSize(const aclTensor *self, int64_t dim, int64_t approximate,
                                       aclTensor *out, aclTensor *outGelu, uint64_t *workspaceSize,
                                       aclOpExecutor **executor) {
  return PlanOperator("aclnnGeGlu", workspaceSize, executor, [&] {
    CheckGeGlu({"self", self}, dim, approximate, {"out", out}, {"outGelu", outGelu});
    return Work{0, [self = *self, out = *out, outGelu = *outGelu](void *) {
                  StandIn({out, outGelu}, {self});
                }};
  });
}

aclnnStatus aclnnGeGlu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                       aclrtStream stream) {
  return LaunchOperator("aclnnGeGlu", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRenorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_renorm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckRenorm(const TensorParameter &self, const ScalarParameter &p, int64_t dim,
                 const ScalarParameter &maxNorm, const TensorParameter &out) {
  RequireNotNull({self, out}, {}, {p, maxNorm});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({p, maxNorm}, {ACL_FLOAT});
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 2, 8);
  RequireSameShape({out}, self);
  Require(!(ToDouble(*p.scalar) < 0), "p is not below 0");
  Require(-(self->Rank()) <= dim && dim < self->Rank(), "dim names an axis of self");
  Require(!(ToDouble(*maxNorm.scalar) < 0), "maxNorm is not below 0");
}

}  // namespace

aclnnStatus aclnnRenormGetWorkspaceSize(const aclTensor *self, const aclScalar *p, int64_t dim,
                                        const aclScalar *maxNorm, aclTensor *out,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnRenorm", workspaceSize, executor, [&] {
    CheckRenorm({"self", self}, {"p", p}, dim, {"maxNorm", maxNorm}, {"out", out});
    return Work{0, [self = *self, out = *out](void *) { StandIn({out}, {self}); }};
  });
}

aclnnStatus aclnnRenorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                        aclrtStream stream) {
  return LaunchOperator("aclnnRenorm", workspace, workspaceSize, executor, stream);
}

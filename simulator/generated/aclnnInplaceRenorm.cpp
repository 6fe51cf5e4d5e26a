// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRenorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_renorm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckInplaceRenorm(const TensorParameter &selfRef, const ScalarParameter &p, int64_t dim,
                        const ScalarParameter &maxNorm) {
  RequireNotNull({selfRef}, {}, {p, maxNorm});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({p, maxNorm}, {ACL_FLOAT});
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 2, 8);
  Require(!(ToDouble(*p.scalar) < 0), "p is not below 0");
  Require(-(selfRef->Rank()) <= dim && dim < selfRef->Rank(), "dim names an axis of selfRef");
  Require(!(ToDouble(*maxNorm.scalar) < 0), "maxNorm is not below 0");
}

}  // namespace

aclnnStatus aclnnInplaceRenormGetWorkspaceSize(aclTensor *selfRef, const aclScalar *p, int64_t dim,
                                               const aclScalar *maxNorm, uint64_t *workspaceSize,
                                               aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceRenorm", workspaceSize, executor, [&] {
    CheckInplaceRenorm({"selfRef", selfRef}, {"p", p}, dim, {"maxNorm", maxNorm});
    return Work{0, [selfRef = *selfRef](void *) { StandIn({selfRef}, {selfRef}); }};
  });
}

aclnnStatus aclnnInplaceRenorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                               aclrtStream stream) {
  return LaunchOperator("aclnnInplaceRenorm", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceAddRmsNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_inplace_add_rms_norm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckInplaceAddRmsNorm(const TensorParameter &x1Ref, const TensorParameter &x2Ref,
                            const TensorParameter &gamma, const TensorParameter &rstdOut) {
  RequireNotNull({x1Ref, x2Ref, gamma, rstdOut});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({x1Ref}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({rstdOut}, {ACL_FLOAT});
  RequireDataType({x1Ref}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({x2Ref, gamma}, x1Ref);
  RequirePublicFormat({x1Ref, x2Ref, gamma, rstdOut});
  RequireRank({x1Ref, x2Ref, gamma, rstdOut}, 1, 8);
  RequireSameShape({x2Ref}, x1Ref);
  RequireTrailing(gamma, x1Ref);
  RequireContiguous({x1Ref, x2Ref, gamma, rstdOut});
  RequireShape(rstdOut, ResizedOnward(x1Ref->shape, -(gamma->Rank()), 1));
}

}  // namespace

aclnnStatus aclnnInplaceAddRmsNormGetWorkspaceSize(aclTensor *x1Ref, aclTensor *x2Ref,
                                                   const aclTensor *gamma, double epsilon,
                                                   const aclTensor *rstdOut,
                                                   uint64_t *workspaceSize,
                                                   aclOpExecutor **executor) {
  static_cast<void>(epsilon);
  return PlanOperator("aclnnInplaceAddRmsNorm", workspaceSize, executor, [&] {
    CheckInplaceAddRmsNorm({"x1Ref", x1Ref}, {"x2Ref", x2Ref}, {"gamma", gamma},
                           {"rstdOut", rstdOut});
    return Work{0, [x1Ref = *x1Ref, x2Ref = *x2Ref, gamma = *gamma, rstdOut = *rstdOut](void *) {
                  StandIn({x1Ref, x2Ref, rstdOut}, {x1Ref, x2Ref, gamma});
                }};
  });
}

aclnnStatus aclnnInplaceAddRmsNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnInplaceAddRmsNorm", workspace, workspaceSize, executor, stream);
}

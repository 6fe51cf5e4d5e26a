// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddRmsNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_add_rms_norm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAddRmsNorm(const TensorParameter &x1, const TensorParameter &x2,
                     const TensorParameter &gamma, double epsilon, const TensorParameter &yOut,
                     const TensorParameter &rstdOut, const TensorParameter &xOut) {
  RequireNotNull({x1, x2, gamma, yOut, rstdOut, xOut});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({x1}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({rstdOut}, {ACL_FLOAT});
  RequireDataType({x1}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({x2, gamma, yOut, xOut}, x1);
  RequirePublicFormat({x1, x2, gamma, yOut, rstdOut, xOut});
  RequireRank({x1, x2, gamma, yOut, rstdOut, xOut}, 1, 8);
  RequireSameShape({x2, yOut, xOut}, x1);
  RequireTrailing(gamma, x1);
  Require(epsilon >= 0, "epsilon is not below 0");
  RequireShape(rstdOut, ResizedOnward(x1->shape, -(gamma->Rank()), 1));
}

}  // namespace

aclnnStatus aclnnAddRmsNormGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                            const aclTensor *gamma, double epsilon, aclTensor *yOut,
                                            aclTensor *rstdOut, aclTensor *xOut,
                                            uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnAddRmsNorm", workspaceSize, executor, [&] {
    CheckAddRmsNorm({"x1", x1}, {"x2", x2}, {"gamma", gamma}, epsilon, {"yOut", yOut},
                    {"rstdOut", rstdOut}, {"xOut", xOut});
    return Work{0, [x1 = *x1, x2 = *x2, gamma = *gamma, yOut = *yOut, rstdOut = *rstdOut,
                    xOut = *xOut](void *) { StandIn({yOut, rstdOut, xOut}, {x1, x2, gamma}); }};
  });
}

aclnnStatus aclnnAddRmsNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                            aclrtStream stream) {
  return LaunchOperator("aclnnAddRmsNorm", workspace, workspaceSize, executor, stream);
}

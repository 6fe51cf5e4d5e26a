// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDeepNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_deep_norm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckDeepNorm(const TensorParameter &x, const TensorParameter &gx, const TensorParameter &beta,
                   const TensorParameter &gamma, const TensorParameter &meanOut,
                   const TensorParameter &rstdOut, const TensorParameter &yOut) {
  RequireNotNull({x, gx, beta, gamma, meanOut, rstdOut, yOut});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({meanOut, rstdOut}, {ACL_FLOAT});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({gx, beta, gamma, yOut}, x);
  RequirePublicFormat({x, gx, beta, gamma, meanOut, rstdOut, yOut});
  RequireRank({x, gx, meanOut, rstdOut, yOut}, 2, 8);
  RequireRank({beta, gamma}, 1, 7);
  RequireSameShape({gx, yOut}, x);
  RequireSameShape({gamma}, beta);
  RequireSameShape({rstdOut}, meanOut);
  RequireTrailing(beta, x);
  RequireContiguous({meanOut, rstdOut, yOut});
  RequireShape(meanOut, ResizedOnward(x->shape, -(beta->Rank()), 1));
}

}  // namespace

aclnnStatus aclnnDeepNormGetWorkspaceSize(const aclTensor *x, const aclTensor *gx,
                                          const aclTensor *beta, const aclTensor *gamma,
                                          double alpha, double epsilon, const aclTensor *meanOut,
                                          const aclTensor *rstdOut, const aclTensor *yOut,
                                          uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(alpha);
  static_cast<void>(epsilon);
  return PlanOperator("aclnnDeepNorm", workspaceSize, executor, [&] {
    CheckDeepNorm({"x", x}, {"gx", gx}, {"beta", beta}, {"gamma", gamma}, {"meanOut", meanOut},
                  {"rstdOut", rstdOut}, {"yOut", yOut});
    return Work{
        0, [x = *x, gx = *gx, beta = *beta, gamma = *gamma, meanOut = *meanOut, rstdOut = *rstdOut,
            yOut = *yOut](void *) { StandIn({meanOut, rstdOut, yOut}, {x, gx, beta, gamma}); }};
  });
}

aclnnStatus aclnnDeepNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                          aclrtStream stream) {
  return LaunchOperator("aclnnDeepNorm", workspace, workspaceSize, executor, stream);
}

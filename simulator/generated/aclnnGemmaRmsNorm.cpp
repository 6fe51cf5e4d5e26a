// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGemmaRmsNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_gemma_rms_norm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckGemmaRmsNorm(const TensorParameter &x, const TensorParameter &gamma,
                       const TensorParameter &yOut, const TensorParameter &rstdOut) {
  RequireNotNull({x, gamma, yOut, rstdOut});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({rstdOut}, {ACL_FLOAT});
  RequireSameDataType({gamma, yOut}, x);
  RejectWith(561002, [&] {
    RequirePublicFormat({x, gamma, yOut, rstdOut});
    RequireRank({x, gamma, yOut, rstdOut}, 1, 8);
    RequireSameShape({yOut}, x);
    RequireTrailing(gamma, x);
    RequireShape(rstdOut, ResizedOnward(x->shape, -(gamma->Rank()), 1));
  });
}

}  // namespace

aclnnStatus aclnnGemmaRmsNormGetWorkspaceSize(const aclTensor *x, const aclTensor *gamma,
                                              double epsilon, const aclTensor *yOut,
                                              const aclTensor *rstdOut, uint64_t *workspaceSize,
                                              aclOpExecutor **executor) {
  static_cast<void>(epsilon);
  return PlanOperator("aclnnGemmaRmsNorm", workspaceSize, executor, [&] {
    CheckGemmaRmsNorm({"x", x}, {"gamma", gamma}, {"yOut", yOut}, {"rstdOut", rstdOut});
    return Work{0, [x = *x, gamma = *gamma, yOut = *yOut, rstdOut = *rstdOut](void *) {
                  StandIn({yOut, rstdOut}, {x, gamma});
                }};
  });
}

aclnnStatus aclnnGemmaRmsNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                              aclrtStream stream) {
  return LaunchOperator("aclnnGemmaRmsNorm", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRmsNorm.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/rms_norm.h, not this file.
#include "aclnnop/aclnn_rms_norm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/rms_norm.h"

using namespace simulator;

namespace {

void CheckRmsNorm(const TensorParameter &x, const TensorParameter &gamma,
                  const TensorParameter &yOut, const TensorParameter &rstdOut) {
  RequireNotNull({x, gamma, yOut, rstdOut});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({rstdOut}, {ACL_FLOAT});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({yOut}, x);
  RequireSameDataType({gamma}, x, {ACL_FLOAT});
  if (IsOn({Product::kAtlasInference})) RequireSameDataType({gamma}, x, {});
  RejectWith(561002, [&] {
    RequirePublicFormat({x, gamma, yOut, rstdOut});
    RequireRank({x, gamma, yOut, rstdOut}, 1, 8);
    RequireSameShape({yOut}, x);
    RequireTrailing(gamma, x);
    RequireNotEmpty({gamma});
  });
  Require(ElementCount(gamma->shape) > 0, "gamma is not empty");
  if (IsOn({Product::kAtlasInference}))
    Require((Extent(x, -(1)) * ElementBits(x->dataType) / 8) >= 32,
            "the last axis of x, and so that of gamma, has 32 bytes or more");
  RejectWith(561002, [&] { RequireShape(rstdOut, ResizedOnward(x->shape, -(gamma->Rank()), 1)); });
}

}  // namespace

aclnnStatus aclnnRmsNormGetWorkspaceSize(const aclTensor *x, const aclTensor *gamma, double epsilon,
                                         const aclTensor *yOut, const aclTensor *rstdOut,
                                         uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnRmsNorm", workspaceSize, executor, [&] {
    CheckRmsNorm({"x", x}, {"gamma", gamma}, {"yOut", yOut}, {"rstdOut", rstdOut});
    return Work{0, [x = *x, gamma = *gamma, yOut = *yOut, rstdOut = *rstdOut,
                    epsilon = epsilon](void *) { RmsNorm(x, gamma, yOut, rstdOut, epsilon); }};
  });
}

aclnnStatus aclnnRmsNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                         aclrtStream stream) {
  return LaunchOperator("aclnnRmsNorm", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRmsNormGrad.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/rms_norm_grad.h, not this file.
#include "aclnnop/aclnn_rms_norm_grad.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/rms_norm_grad.h"

using namespace simulator;

namespace {

void CheckRmsNormGrad(const TensorParameter &dy, const TensorParameter &x,
                      const TensorParameter &rstd, const TensorParameter &gamma,
                      const TensorParameter &dxOut, const TensorParameter &dgammaOut) {
  RequireNotNull({dy, x, rstd, gamma, dxOut, dgammaOut});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({dy}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({rstd, dgammaOut}, {ACL_FLOAT});
  RequireDataType({dy}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({x, dxOut}, dy);
  RequireSameDataType({gamma}, dy, {ACL_FLOAT});
  if (IsOn({Product::kAtlasInference})) RequireSameDataType({gamma}, dy, {});
  RejectWith(561002, [&] {
    RequirePublicFormat({dy, x, rstd, gamma, dxOut, dgammaOut});
    RequireRank({dy, x, dxOut}, 2, 8);
    RequireRank({rstd, gamma, dgammaOut}, 1, 7);
    RequireSameShape({x, dxOut}, dy);
    RequireSameShape({dgammaOut}, gamma);
    RequireTrailing(gamma, x);
  });
  if (IsOn({Product::kAtlasInference}))
    Require((Extent(dy, -(1)) * ElementBits(dy->dataType) / 8) >= 32,
            "the last axis of dy, and so that of x and gamma, has 32 bytes or more");
  RejectWith(561002, [&] { RequireShape(rstd, Leading(x->shape, -(gamma->Rank()))); });
}

}  // namespace

aclnnStatus aclnnRmsNormGradGetWorkspaceSize(const aclTensor *dy, const aclTensor *x,
                                             const aclTensor *rstd, const aclTensor *gamma,
                                             const aclTensor *dxOut, const aclTensor *dgammaOut,
                                             uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnRmsNormGrad", workspaceSize, executor, [&] {
    CheckRmsNormGrad({"dy", dy}, {"x", x}, {"rstd", rstd}, {"gamma", gamma}, {"dxOut", dxOut},
                     {"dgammaOut", dgammaOut});
    return Work{
        0, [dy = *dy, x = *x, rstd = *rstd, gamma = *gamma, dxOut = *dxOut,
            dgammaOut = *dgammaOut](void *) { RmsNormGrad(dy, x, rstd, gamma, dxOut, dgammaOut); }};
  });
}

aclnnStatus aclnnRmsNormGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                             aclrtStream stream) {
  return LaunchOperator("aclnnRmsNormGrad", workspace, workspaceSize, executor, stream);
}

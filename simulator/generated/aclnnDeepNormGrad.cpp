// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDeepNormGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_deep_norm_grad.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckDeepNormGrad(const TensorParameter &dy, const TensorParameter &x,
                       const TensorParameter &gx, const TensorParameter &gamma,
                       const TensorParameter &mean, const TensorParameter &rstd,
                       const TensorParameter &dxOut, const TensorParameter &dgxOut,
                       const TensorParameter &dbetaOut, const TensorParameter &dgammaOut) {
  RequireNotNull({dy, x, gx, gamma, mean, rstd, dxOut, dgxOut, dbetaOut, dgammaOut});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({mean, rstd, dbetaOut, dgammaOut}, {ACL_FLOAT});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({dy, gx, gamma, dxOut, dgxOut}, x);
  RequirePublicFormat({dy, x, gx, gamma, mean, rstd, dxOut, dgxOut, dbetaOut, dgammaOut});
  RequireRank({dy, x, gx, mean, rstd, dxOut, dgxOut}, 2, 8);
  RequireRank({gamma, dbetaOut, dgammaOut}, 1, 7);
  RequireSameShape({dy, gx, dxOut, dgxOut}, x);
  RequireSameShape({rstd}, mean);
  RequireSameShape({dbetaOut, dgammaOut}, gamma);
  RequireTrailing(gamma, x);
  RequireContiguous({dxOut, dgxOut, dbetaOut, dgammaOut});
  RequireShape(mean, ResizedOnward(x->shape, -(gamma->Rank()), 1));
}

}  // namespace

aclnnStatus aclnnDeepNormGradGetWorkspaceSize(const aclTensor *dy, const aclTensor *x,
                                              const aclTensor *gx, const aclTensor *gamma,
                                              const aclTensor *mean, const aclTensor *rstd,
                                              double alpha, const aclTensor *dxOut,
                                              const aclTensor *dgxOut, const aclTensor *dbetaOut,
                                              const aclTensor *dgammaOut, uint64_t *workspaceSize,
                                              aclOpExecutor **executor) {
  static_cast<void>(alpha);
  return PlanOperator("aclnnDeepNormGrad", workspaceSize, executor, [&] {
    CheckDeepNormGrad({"dy", dy}, {"x", x}, {"gx", gx}, {"gamma", gamma}, {"mean", mean},
                      {"rstd", rstd}, {"dxOut", dxOut}, {"dgxOut", dgxOut}, {"dbetaOut", dbetaOut},
                      {"dgammaOut", dgammaOut});
    return Work{
        0, [dy = *dy, x = *x, gx = *gx, gamma = *gamma, mean = *mean, rstd = *rstd, dxOut = *dxOut,
            dgxOut = *dgxOut, dbetaOut = *dbetaOut, dgammaOut = *dgammaOut](void *) {
          StandIn({dxOut, dgxOut, dbetaOut, dgammaOut}, {dy, x, gx, gamma, mean, rstd});
        }};
  });
}

aclnnStatus aclnnDeepNormGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                              aclrtStream stream) {
  return LaunchOperator("aclnnDeepNormGrad", workspace, workspaceSize, executor, stream);
}

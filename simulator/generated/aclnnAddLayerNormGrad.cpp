// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddLayerNormGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_add_layer_norm_grad.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAddLayerNormGrad(const TensorParameter &dy, const TensorParameter &x1,
                           const TensorParameter &x2, const TensorParameter &rstd,
                           const TensorParameter &mean, const TensorParameter &gamma,
                           const TensorParameter &dsumOptional, const TensorParameter &dxOut,
                           const TensorParameter &dgammaOut, const TensorParameter &dbetaOut) {
  RequireNotNull({dy, x1, x2, rstd, mean, gamma, dxOut, dgammaOut, dbetaOut});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({dy}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({rstd, mean, dgammaOut, dbetaOut}, {ACL_FLOAT});
  RequireDataType({dy}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({x1, x2, gamma, dsumOptional, dxOut}, dy);
  RequirePublicFormat({dy, x1, x2, rstd, mean, gamma, dsumOptional, dxOut, dgammaOut, dbetaOut});
  RequireRank({dy, x1, x2, rstd, mean, gamma, dsumOptional, dxOut, dgammaOut, dbetaOut}, 1, 8);
  RequireSameShape({x1, x2, dsumOptional, dxOut}, dy);
  RequireSameShape({mean}, rstd);
  RequireSameShape({dgammaOut, dbetaOut}, gamma);
  RequireTrailing(gamma, dy);
  RequireShape(rstd, ResizedOnward(dy->shape, -(gamma->Rank()), 1));
}

}  // namespace

aclnnStatus aclnnAddLayerNormGradGetWorkspaceSize(
    const aclTensor *dy, const aclTensor *x1, const aclTensor *x2, const aclTensor *rstd,
    const aclTensor *mean, const aclTensor *gamma, const aclTensor *dsumOptional,
    const aclTensor *dxOut, const aclTensor *dgammaOut, const aclTensor *dbetaOut,
    uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnAddLayerNormGrad", workspaceSize, executor, [&] {
    CheckAddLayerNormGrad({"dy", dy}, {"x1", x1}, {"x2", x2}, {"rstd", rstd}, {"mean", mean},
                          {"gamma", gamma}, {"dsumOptional", dsumOptional}, {"dxOut", dxOut},
                          {"dgammaOut", dgammaOut}, {"dbetaOut", dbetaOut});
    const aclTensor dsumOptionalAbsent = Filled({0}, 0.0F);
    if (dsumOptional == nullptr) dsumOptional = &dsumOptionalAbsent;
    return Work{0, [dy = *dy, x1 = *x1, x2 = *x2, rstd = *rstd, mean = *mean, gamma = *gamma,
                    dsumOptional = *dsumOptional, dxOut = *dxOut, dgammaOut = *dgammaOut,
                    dbetaOut = *dbetaOut](void *) {
                  StandIn({dxOut, dgammaOut, dbetaOut},
                          {dy, x1, x2, rstd, mean, gamma, dsumOptional});
                }};
  });
}

aclnnStatus aclnnAddLayerNormGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                  aclrtStream stream) {
  return LaunchOperator("aclnnAddLayerNormGrad", workspace, workspaceSize, executor, stream);
}

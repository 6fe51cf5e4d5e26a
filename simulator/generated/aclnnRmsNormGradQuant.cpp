// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRmsNormGradQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_rms_norm_grad_quant.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckRmsNormGradQuant(const TensorParameter &dy, const TensorParameter &x,
                           const TensorParameter &rstd, const TensorParameter &gamma,
                           const TensorParameter &scalesX, const TensorParameter &offsetXOptional,
                           char *quantMode, const TensorParameter &dxOut,
                           const TensorParameter &dgammaOut) {
  RequireNotNull({dy, x, rstd, gamma, scalesX, dxOut, dgammaOut});
  RequireText(quantMode, "quantMode");
  RequireProduct({Product::kAscend950});
  RequireDataType({dy}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({rstd, dgammaOut}, {ACL_FLOAT});
  RequireDataType({offsetXOptional}, {ACL_INT32});
  RequireDataType({dxOut}, {ACL_INT8});
  RequireSameDataType({x}, dy);
  RequireSameDataType({gamma}, dy, {ACL_FLOAT});
  RequireSameDataType({scalesX}, dy, {ACL_FLOAT});
  RequirePublicFormat({dy, x, rstd, gamma, scalesX, offsetXOptional, dxOut, dgammaOut});
  RequireRank({dy, x, dxOut}, 2, 8);
  RequireRank({rstd, gamma, dgammaOut}, 1, 7);
  RequireRank({scalesX, offsetXOptional}, 1, 1);
  RequireSameShape({x, dxOut}, dy);
  RequireSameShape({dgammaOut}, gamma);
  RequireTrailing(gamma, x);
  RequireContiguous({scalesX, offsetXOptional});
  Require(std::string(quantMode) == "static", "quantMode is static");
  RequireShape(rstd, Leading(x->shape, -(gamma->Rank())));
  RequireShape(scalesX, {1});
  RequireShape(offsetXOptional, {1});
}

}  // namespace

aclnnStatus aclnnRmsNormGradQuantGetWorkspaceSize(
    const aclTensor *dy, const aclTensor *x, const aclTensor *rstd, const aclTensor *gamma,
    const aclTensor *scalesX, const aclTensor *offsetXOptional, char *quantMode, bool divMode,
    aclTensor *dxOut, aclTensor *dgammaOut, uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(divMode);
  return PlanOperator("aclnnRmsNormGradQuant", workspaceSize, executor, [&] {
    CheckRmsNormGradQuant({"dy", dy}, {"x", x}, {"rstd", rstd}, {"gamma", gamma},
                          {"scalesX", scalesX}, {"offsetXOptional", offsetXOptional}, quantMode,
                          {"dxOut", dxOut}, {"dgammaOut", dgammaOut});
    const aclTensor offsetXOptionalAbsent = Filled({0}, 0.0F);
    if (offsetXOptional == nullptr) offsetXOptional = &offsetXOptionalAbsent;
    return Work{
        0, [dy = *dy, x = *x, rstd = *rstd, gamma = *gamma, scalesX = *scalesX,
            offsetXOptional = *offsetXOptional, dxOut = *dxOut, dgammaOut = *dgammaOut](void *) {
          StandIn({dxOut, dgammaOut}, {dy, x, rstd, gamma, scalesX, offsetXOptional});
        }};
  });
}

aclnnStatus aclnnRmsNormGradQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                  aclrtStream stream) {
  return LaunchOperator("aclnnRmsNormGradQuant", workspace, workspaceSize, executor, stream);
}

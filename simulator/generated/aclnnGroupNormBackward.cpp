// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGroupNormBackward.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/group_norm_backward.h, not this file.
#include "aclnnop/aclnn_group_norm_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/group_norm_backward.h"

using namespace simulator;

namespace {

void CheckGroupNormBackward(const TensorParameter &gradOut, const TensorParameter &input,
                            const TensorParameter &mean, const TensorParameter &rstd,
                            const TensorParameter &gamma, int64_t N, int64_t C, int64_t HxW,
                            int64_t group, const IntArrayParameter &outputMask,
                            const TensorParameter &gradInput, const TensorParameter &gradGammaOut,
                            const TensorParameter &gradBetaOut) {
  RequireNotNull({gradOut, input, mean, rstd, gamma}, {outputMask});
  if (Number(Numbers(outputMask), 0)) RequireNotNull({gradInput});
  if (Number(Numbers(outputMask), 1)) RequireNotNull({gradGammaOut});
  if (Number(Numbers(outputMask), 2)) RequireNotNull({gradBetaOut});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({gradOut}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({gradOut}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({input, gradInput}, gradOut);
  RequireSameDataType({rstd, gamma, gradGammaOut, gradBetaOut}, mean);
  RequireSameDataType({mean}, gradOut, {ACL_FLOAT});
  if (IsOn({Product::kAtlasA3})) RequireSameDataType({mean}, gradOut, {});
  if (IsOn({Product::kAtlasA2})) RequireSameDataType({mean}, gradOut, {});
  if (IsOn({Product::kAtlasTraining})) RequireSameDataType({mean}, gradOut, {});
  RequirePublicFormat({gradOut, input, mean, rstd, gamma, gradInput, gradGammaOut, gradBetaOut});
  RequireRank({gradOut}, 2, 8);
  RequireRank({input, mean, rstd, gamma, gradInput, gradGammaOut, gradBetaOut}, 0, 8);
  RequireSameShape({input}, gradOut);
  RequireSameShape({gradInput}, input);
  RequireSameShape({gradGammaOut, gradBetaOut}, gamma);
  Require(Extent(gradOut, 0) == N, "the first extent of gradOut is N");
  Require(Extent(gradOut, 1) == C, "the second extent of gradOut is C");
  Require(ElementCount(Shape(gradOut->shape.begin() + 2, gradOut->shape.end())) == HxW,
          "the product of all further extents of gradOut is HxW");
  Require(Length(Numbers(outputMask)) == 3, "outputMask has three elements");
  Require(group > 0, "group is above 0");
  Require(C <= 240000, "C is at most 240000");
  Require((Extent(gradOut, 1) % group) == 0, "group divides C");
  Require((C / group) <= 8000, "a group has at most 8000 channels");
  RequireShape(mean, {Extent(gradOut, 0), group});
  RequireShape(rstd, {Extent(gradOut, 0), group});
  RequireShape(gamma, {Extent(gradOut, 1)});
}

}  // namespace

aclnnStatus aclnnGroupNormBackwardGetWorkspaceSize(
    const aclTensor *gradOut, const aclTensor *input, const aclTensor *mean, const aclTensor *rstd,
    const aclTensor *gamma, int64_t N, int64_t C, int64_t HxW, int64_t group,
    const aclBoolArray *outputMask, aclTensor *gradInput, aclTensor *gradGammaOut,
    aclTensor *gradBetaOut, uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnGroupNormBackward", workspaceSize, executor, [&] {
    CheckGroupNormBackward({"gradOut", gradOut}, {"input", input}, {"mean", mean}, {"rstd", rstd},
                           {"gamma", gamma}, N, C, HxW, group, {"outputMask", outputMask},
                           {"gradInput", gradInput}, {"gradGammaOut", gradGammaOut},
                           {"gradBetaOut", gradBetaOut});
    aclTensor gradInputAbsent = Unwanted(input->shape);
    if (gradInput == nullptr) gradInput = &gradInputAbsent;
    aclTensor gradGammaOutAbsent = Unwanted(gamma->shape);
    if (gradGammaOut == nullptr) gradGammaOut = &gradGammaOutAbsent;
    aclTensor gradBetaOutAbsent = Unwanted(gamma->shape);
    if (gradBetaOut == nullptr) gradBetaOut = &gradBetaOutAbsent;
    return Work{
        0, [gradOut = *gradOut, input = *input, mean = *mean, rstd = *rstd, gamma = *gamma,
            gradInput = *gradInput, gradGammaOut = *gradGammaOut, gradBetaOut = *gradBetaOut, N = N,
            C = C, HxW = HxW, group = group, outputMask = Numbers(outputMask)](void *) {
          GroupNormBackward(gradOut, input, mean, rstd, gamma, gradInput, gradGammaOut, gradBetaOut,
                            N, C, HxW, group, outputMask);
        }};
  });
}

aclnnStatus aclnnGroupNormBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnGroupNormBackward", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddLayerNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_add_layer_norm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAddLayerNorm(const TensorParameter &x1, const TensorParameter &x2,
                       const TensorParameter &gamma, const TensorParameter &beta,
                       const TensorParameter &biasOptional, const TensorParameter &yOut,
                       const TensorParameter &meanOut, const TensorParameter &rstdOut,
                       const TensorParameter &xOut) {
  RequireNotNull({x1, x2, gamma, beta, yOut, meanOut, rstdOut, xOut});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({x1}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({meanOut, rstdOut}, {ACL_FLOAT});
  RequireDataType({x1}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({x2, biasOptional, yOut, xOut}, x1);
  RequireSameDataType({beta}, gamma);
  RequireSameDataType({gamma}, x1, {ACL_FLOAT});
  if (IsOn({Product::kAscend950})) RequireSameDataType({gamma}, x1, {});
  if (IsOn({Product::kAtlasInference})) RequireSameDataType({gamma}, x1, {});
  RequirePublicFormat({x1, x2, gamma, beta, biasOptional, yOut, meanOut, rstdOut, xOut});
  RejectWith(561002, [&] {
    RequireRank({x1, x2, gamma, beta, biasOptional, yOut, meanOut, rstdOut, xOut}, 1, 8);
    RequireSameShape({x2, yOut, xOut}, x1);
    RequireSameShape({beta, biasOptional}, gamma);
    RequireSameShape({rstdOut}, meanOut);
    RequireTrailing(gamma, x1);
  });
  RequireContiguous({yOut, meanOut, rstdOut, xOut});
  if (IsOn({Product::kAtlasInference}))
    Require((Extent(x1, -(1)) * ElementBits(x1->dataType) / 8) >= 32,
            "the last axis of x1, and so that of gamma, has 32 bytes or more");
  RejectWith(561002, [&] { RequireShape(meanOut, ResizedOnward(x1->shape, -(gamma->Rank()), 1)); });
}

}  // namespace

aclnnStatus aclnnAddLayerNormGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                              const aclTensor *gamma, const aclTensor *beta,
                                              const aclTensor *biasOptional, double epsilon,
                                              bool additionalOutput, const aclTensor *yOut,
                                              const aclTensor *meanOut, const aclTensor *rstdOut,
                                              const aclTensor *xOut, uint64_t *workspaceSize,
                                              aclOpExecutor **executor) {
  static_cast<void>(epsilon);
  static_cast<void>(additionalOutput);
  return PlanOperator("aclnnAddLayerNorm", workspaceSize, executor, [&] {
    CheckAddLayerNorm({"x1", x1}, {"x2", x2}, {"gamma", gamma}, {"beta", beta},
                      {"biasOptional", biasOptional}, {"yOut", yOut}, {"meanOut", meanOut},
                      {"rstdOut", rstdOut}, {"xOut", xOut});
    const aclTensor biasOptionalAbsent = Filled({0}, 0.0F);
    if (biasOptional == nullptr) biasOptional = &biasOptionalAbsent;
    return Work{0, [x1 = *x1, x2 = *x2, gamma = *gamma, beta = *beta, biasOptional = *biasOptional,
                    yOut = *yOut, meanOut = *meanOut, rstdOut = *rstdOut, xOut = *xOut](void *) {
                  StandIn({yOut, meanOut, rstdOut, xOut}, {x1, x2, gamma, beta, biasOptional});
                }};
  });
}

aclnnStatus aclnnAddLayerNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                              aclrtStream stream) {
  return LaunchOperator("aclnnAddLayerNorm", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGroupNormSiluQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_group_norm_silu_quant.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckGroupNormSiluQuant(const TensorParameter &self, const TensorParameter &gammaOptional,
                             const TensorParameter &betaOptional, const TensorParameter &quantScale,
                             int64_t group, double eps, bool activateSilu,
                             const TensorParameter &out, const TensorParameter &meanOut,
                             const TensorParameter &rstdOut) {
  RequireNotNull({self, quantScale, out, meanOut, rstdOut});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({self}, {ACL_FLOAT16, ACL_BF16});
  RequireDataType({quantScale}, {ACL_FLOAT});
  RequireDataType({out}, {ACL_INT8});
  RequireSameDataType({gammaOptional, betaOptional, meanOut, rstdOut}, self);
  RequirePublicFormat({self, gammaOptional, betaOptional, quantScale, out, meanOut, rstdOut});
  RequireRank({self, out}, 2, 8);
  RequireRank({gammaOptional, betaOptional, quantScale}, 1, 1);
  RequireRank({meanOut, rstdOut}, 2, 2);
  RequireSameShape({out}, self);
  RequireContiguous({out, meanOut, rstdOut});
  Require(group > 0, "group is above 0, as an extent of meanOut");
  Require((Extent(self, 1) % group) == 0,
          "group divides the second extent of self, its first one as the row counts them");
  Require(eps > 0, "eps is above 0");
  Require(activateSilu, "activateSilu is true");
  RequireOneShape(quantScale,
                  ((true) && quantScale->shape == Shape{1}) ||
                      ((Extent(self, 1) > 0) && quantScale->shape == Shape{Extent(self, 1)}));
  RequireShape(gammaOptional, {Extent(self, 1)});
  RequireShape(betaOptional, {Extent(self, 1)});
  RequireShape(meanOut, {Extent(self, 0), group});
  RequireShape(rstdOut, {Extent(self, 0), group});
}

}  // namespace

aclnnStatus aclnnGroupNormSiluQuantGetWorkspaceSize(
    const aclTensor *self, const aclTensor *gammaOptional, const aclTensor *betaOptional,
    const aclTensor *quantScale, int64_t group, double eps, bool activateSilu, aclTensor *out,
    aclTensor *meanOut, aclTensor *rstdOut, uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnGroupNormSiluQuant", workspaceSize, executor, [&] {
    CheckGroupNormSiluQuant({"self", self}, {"gammaOptional", gammaOptional},
                            {"betaOptional", betaOptional}, {"quantScale", quantScale}, group, eps,
                            activateSilu, {"out", out}, {"meanOut", meanOut}, {"rstdOut", rstdOut});
    const aclTensor gammaOptionalAbsent = Filled({0}, 1.0F);
    if (gammaOptional == nullptr) gammaOptional = &gammaOptionalAbsent;
    const aclTensor betaOptionalAbsent = Filled({0}, 1.0F);
    if (betaOptional == nullptr) betaOptional = &betaOptionalAbsent;
    return Work{
        0, [self = *self, gammaOptional = *gammaOptional, betaOptional = *betaOptional,
            quantScale = *quantScale, out = *out, meanOut = *meanOut, rstdOut = *rstdOut](void *) {
          StandIn({out, meanOut, rstdOut}, {self, gammaOptional, betaOptional, quantScale});
        }};
  });
}

aclnnStatus aclnnGroupNormSiluQuant(void *workspace, uint64_t workspaceSize,
                                    aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnGroupNormSiluQuant", workspace, workspaceSize, executor, stream);
}

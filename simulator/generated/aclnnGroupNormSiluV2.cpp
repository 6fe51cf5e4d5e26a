// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGroupNormSiluV2.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/group_norm_silu_v2.h, not this file.
#include "aclnnop/aclnn_group_norm_silu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/group_norm_silu_v2.h"

using namespace simulator;

namespace {

void CheckGroupNormSiluV2(const TensorParameter &self, const TensorParameter &gamma,
                          const TensorParameter &beta, int64_t group, double eps,
                          const TensorParameter &out, const TensorParameter &meanOut,
                          const TensorParameter &rstdOut) {
  RequireNotNull({self, gamma, beta, out, meanOut, rstdOut});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({out}, self);
  RequireSameDataType({gamma}, self, {ACL_FLOAT});
  RequireSameDataType({beta}, self, {ACL_FLOAT});
  RequireSameDataType({meanOut}, self, {ACL_FLOAT});
  if (IsOn({Product::kAtlasA3})) RequireSameDataType({meanOut}, self, {});
  if (IsOn({Product::kAtlasA2})) RequireSameDataType({meanOut}, self, {});
  if (IsOn({Product::kAtlasInference})) RequireSameDataType({meanOut}, self, {});
  RequireSameDataType({rstdOut}, self, {ACL_FLOAT});
  if (IsOn({Product::kAtlasA3})) RequireSameDataType({rstdOut}, self, {});
  if (IsOn({Product::kAtlasA2})) RequireSameDataType({rstdOut}, self, {});
  if (IsOn({Product::kAtlasInference})) RequireSameDataType({rstdOut}, self, {});
  RequirePublicFormat({self, gamma, beta, out, meanOut, rstdOut});
  RequireRank({self, out}, 2, 8);
  RequireRank({gamma, beta}, 1, 1);
  RequireRank({meanOut, rstdOut}, 2, 2);
  RequireSameShape({out}, self);
  RequireContiguous({out, meanOut, rstdOut});
  Require(group > 0, "group is above 0, as an extent of meanOut that divides another one");
  Require((Extent(self, 1) % group) == 0, "group divides the second extent of self");
  Require(eps > 0, "eps is above 0");
  if (IsOn({Product::kAscend950}))
    Require(ElementBits(gamma->dataType) / 8 == ElementBits(beta->dataType) / 8 &&
                ElementBits(beta->dataType) / 8 == ElementBits(meanOut->dataType) / 8 &&
                ElementBits(meanOut->dataType) / 8 == ElementBits(rstdOut->dataType) / 8,
            "meanOut and rstdOut have the data type of gamma and beta");
  RequireShape(gamma, {Extent(self, 1)});
  RequireShape(beta, {Extent(self, 1)});
  RequireShape(meanOut, {Extent(self, 0), group});
  RequireShape(rstdOut, {Extent(self, 0), group});
}

}  // namespace

aclnnStatus aclnnGroupNormSiluV2GetWorkspaceSize(const aclTensor *self, const aclTensor *gamma,
                                                 const aclTensor *beta, int64_t group, double eps,
                                                 bool activateSilu, aclTensor *out,
                                                 aclTensor *meanOut, aclTensor *rstdOut,
                                                 uint64_t *workspaceSize,
                                                 aclOpExecutor **executor) {
  return PlanOperator("aclnnGroupNormSiluV2", workspaceSize, executor, [&] {
    CheckGroupNormSiluV2({"self", self}, {"gamma", gamma}, {"beta", beta}, group, eps, {"out", out},
                         {"meanOut", meanOut}, {"rstdOut", rstdOut});
    return Work{
        0, [self = *self, gamma = *gamma, beta = *beta, out = *out, meanOut = *meanOut,
            rstdOut = *rstdOut, group = group, eps = eps, activateSilu = activateSilu](void *) {
          GroupNormSiluV2(self, gamma, beta, out, meanOut, rstdOut, group, eps, activateSilu);
        }};
  });
}

aclnnStatus aclnnGroupNormSiluV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                 aclrtStream stream) {
  return LaunchOperator("aclnnGroupNormSiluV2", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGroupNorm.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/group_norm.h, not this file.
#include "aclnnop/aclnn_group_norm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/group_norm.h"

using namespace simulator;

namespace {

void CheckGroupNorm(const TensorParameter &self, const TensorParameter &gamma,
                    const TensorParameter &beta, int64_t N, int64_t C, int64_t HxW, int64_t group,
                    double eps, const TensorParameter &out, const TensorParameter &meanOut,
                    const TensorParameter &rstdOut) {
  RequireNotNull({self, gamma, beta, out, meanOut, rstdOut});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({gamma, beta, out, meanOut, rstdOut}, self);
  RequirePublicFormat({self, gamma, beta, out, meanOut, rstdOut});
  RequireSameFormat({out}, self);
  RequireRank({self, out}, 2, 8);
  RequireRank({gamma, beta}, 1, 1);
  RequireRank({meanOut, rstdOut}, 2, 2);
  RequireSameShape({out}, self);
  Require(Extent(self, 0) == N, "the first extent of self is N");
  Require(Extent(self, 1) == C, "the second extent of self is C");
  Require(ElementCount(Shape(self->shape.begin() + 2, self->shape.end())) == HxW,
          "the product of all further extents of self is HxW");
  Require(group > 0, "group is above 0");
  Require((Extent(self, 1) % group) == 0, "group divides C");
  Require(eps > 0, "eps is above 0");
  RequireShape(gamma, {Extent(self, 1)});
  RequireShape(beta, {Extent(self, 1)});
  RequireShape(meanOut, {Extent(self, 0), group});
  RequireShape(rstdOut, {Extent(self, 0), group});
}

}  // namespace

aclnnStatus aclnnGroupNormGetWorkspaceSize(const aclTensor *self, const aclTensor *gamma,
                                           const aclTensor *beta, int64_t N, int64_t C, int64_t HxW,
                                           int64_t group, double eps, aclTensor *out,
                                           aclTensor *meanOut, aclTensor *rstdOut,
                                           uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnGroupNorm", workspaceSize, executor, [&] {
    CheckGroupNorm({"self", self}, {"gamma", gamma}, {"beta", beta}, N, C, HxW, group, eps,
                   {"out", out}, {"meanOut", meanOut}, {"rstdOut", rstdOut});
    return Work{0, [self = *self, gamma = *gamma, beta = *beta, out = *out, meanOut = *meanOut,
                    rstdOut = *rstdOut, N = N, C = C, HxW = HxW, group = group, eps = eps](void *) {
                  GroupNorm(self, gamma, beta, out, meanOut, rstdOut, N, C, HxW, group, eps);
                }};
  });
}

aclnnStatus aclnnGroupNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream) {
  return LaunchOperator("aclnnGroupNorm", workspace, workspaceSize, executor, stream);
}

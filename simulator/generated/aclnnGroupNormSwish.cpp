// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGroupNormSwish.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/group_norm_swish.h, not this file.
#include "aclnnop/aclnn_group_norm_swish.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/group_norm_swish.h"

using namespace simulator;

namespace {

void CheckGroupNormSwish(const TensorParameter &x, const TensorParameter &gamma,
                         const TensorParameter &beta, int64_t numGroups,
                         const TensorParameter &yOut, const TensorParameter &meanOut,
                         const TensorParameter &rstdOut) {
  RequireNotNull({x, gamma, beta, yOut, meanOut, rstdOut});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireSameDataType({beta, meanOut, rstdOut}, gamma);
  RequireSameDataType({yOut}, x);
  RequireSameDataType({gamma}, x, {ACL_FLOAT});
  RequirePublicFormat({x, gamma, beta, yOut, meanOut, rstdOut});
  RequireRank({x, yOut}, 2, 8);
  RequireRank({gamma, beta}, 1, 1);
  RequireRank({meanOut, rstdOut}, 2, 2);
  RequireSameShape({yOut}, x);
  RequireNotEmpty({x, gamma, beta});
  RequireContiguous({yOut, meanOut, rstdOut});
  Require(numGroups > 0, "numGroups is above 0");
  Require((Extent(x, 1) % numGroups) == 0, "numGroups divides the second extent of x");
  RequireShape(gamma, {Extent(x, 1)});
  RequireShape(beta, {Extent(x, 1)});
  RequireShape(meanOut, {Extent(x, 0), numGroups});
  RequireShape(rstdOut, {Extent(x, 0), numGroups});
}

}  // namespace

aclnnStatus aclnnGroupNormSwishGetWorkspaceSize(const aclTensor *x, const aclTensor *gamma,
                                                const aclTensor *beta, int64_t numGroups,
                                                char *dataFormatOptional, double eps,
                                                bool activateSwish, double swishScale,
                                                const aclTensor *yOut, const aclTensor *meanOut,
                                                const aclTensor *rstdOut, uint64_t *workspaceSize,
                                                aclOpExecutor **executor) {
  return PlanOperator("aclnnGroupNormSwish", workspaceSize, executor, [&] {
    CheckGroupNormSwish({"x", x}, {"gamma", gamma}, {"beta", beta}, numGroups, {"yOut", yOut},
                        {"meanOut", meanOut}, {"rstdOut", rstdOut});
    return Work{0, [x = *x, gamma = *gamma, beta = *beta, yOut = *yOut, meanOut = *meanOut,
                    rstdOut = *rstdOut, numGroups = numGroups,
                    dataFormatOptional = std::string(dataFormatOptional), eps = eps,
                    activateSwish = activateSwish, swishScale = swishScale](void *) {
                  GroupNormSwish(x, gamma, beta, yOut, meanOut, rstdOut, numGroups,
                                 dataFormatOptional, eps, activateSwish, swishScale);
                }};
  });
}

aclnnStatus aclnnGroupNormSwish(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream) {
  return LaunchOperator("aclnnGroupNormSwish", workspace, workspaceSize, executor, stream);
}

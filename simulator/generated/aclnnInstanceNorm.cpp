// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInstanceNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_instance_norm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckInstanceNorm(const TensorParameter &x, const TensorParameter &gamma,
                       const TensorParameter &beta, char *dataFormat, const TensorParameter &y,
                       const TensorParameter &mean, const TensorParameter &variance) {
  RequireNotNull({x, gamma, beta, y, mean, variance});
  RequireProduct({Product::kAtlasInference});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16});
  RequireSameDataType({gamma, beta, y, mean, variance}, x);
  RequirePublicFormat({x, gamma, beta, y, mean, variance});
  RequireRank({x, y, mean, variance}, 4, 4);
  RequireRank({gamma, beta}, 1, 1);
  RequireSameShape({y}, x);
  RequireSameShape({variance}, mean);
  Require(std::string(dataFormat) == "NCHW", "dataFormat is NCHW, or NHWC, which is not tested");
  RejectWith(561103, [&] {
    Require((Extent(x, 1) * ElementBits(x->dataType) / 8) >= 32,
            "the channels of x have 32 bytes or more");
    Require(((Extent(x, 2) * Extent(x, 3)) * ElementBits(x->dataType) / 8) >= 32,
            "each plane of x has 32 bytes or more");
  });
  RequireShape(gamma, {Extent(x, 1)});
  RequireShape(beta, {Extent(x, 1)});
  RequireShape(mean, {Extent(x, 0), Extent(x, 1), 1, 1});
}

}  // namespace

aclnnStatus aclnnInstanceNormGetWorkspaceSize(const aclTensor *x, const aclTensor *gamma,
                                              const aclTensor *beta, char *dataFormat, double eps,
                                              aclTensor *y, aclTensor *mean, aclTensor *variance,
                                              uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(eps);
  return PlanOperator("aclnnInstanceNorm", workspaceSize, executor, [&] {
    CheckInstanceNorm({"x", x}, {"gamma", gamma}, {"beta", beta}, dataFormat, {"y", y},
                      {"mean", mean}, {"variance", variance});
    return Work{0,
                [x = *x, gamma = *gamma, beta = *beta, y = *y, mean = *mean,
                 variance = *variance](void *) { StandIn({y, mean, variance}, {x, gamma, beta}); }};
  });
}

aclnnStatus aclnnInstanceNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                              aclrtStream stream) {
  return LaunchOperator("aclnnInstanceNorm", workspace, workspaceSize, executor, stream);
}

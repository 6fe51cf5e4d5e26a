// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBatchNormElemt.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_batch_norm_elemt.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckBatchNormElemt(const TensorParameter &input, const TensorParameter &weight,
                         const TensorParameter &bias, const TensorParameter &mean,
                         const TensorParameter &invstd, const TensorParameter &output) {
  RequireNotNull({input, weight, bias, mean, invstd, output});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({weight, bias, mean, invstd, output}, input);
  RequireFormat({input, output},
                {ACL_FORMAT_NC, ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW, ACL_FORMAT_ND});
  RequirePublicFormat({weight, bias, mean, invstd});
  RequireSameFormat({output}, input);
  RequireRank({input, output}, 2, 8);
  RequireRank({weight, bias, mean, invstd}, 1, 1);
  RequireSameShape({output}, input);
  Require(Extent(input, 1) > 0, "input has channels");
  RequireShape(weight, {Extent(input, 1)});
  RequireShape(bias, {Extent(input, 1)});
  RequireShape(mean, {Extent(input, 1)});
  RequireShape(invstd, {Extent(input, 1)});
}

}  // namespace

aclnnStatus aclnnBatchNormElemtGetWorkspaceSize(const aclTensor *input, const aclTensor *weight,
                                                const aclTensor *bias, aclTensor *mean,
                                                aclTensor *invstd, double eps, aclTensor *output,
                                                uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(eps);
  return PlanOperator("aclnnBatchNormElemt", workspaceSize, executor, [&] {
    CheckBatchNormElemt({"input", input}, {"weight", weight}, {"bias", bias}, {"mean", mean},
                        {"invstd", invstd}, {"output", output});
    return Work{
        0, [input = *input, weight = *weight, bias = *bias, mean = *mean, invstd = *invstd,
            output = *output](void *) { StandIn({output}, {input, weight, bias, mean, invstd}); }};
  });
}

aclnnStatus aclnnBatchNormElemt(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream) {
  return LaunchOperator("aclnnBatchNormElemt", workspace, workspaceSize, executor, stream);
}

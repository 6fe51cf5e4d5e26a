// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBatchNormElemtBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_batch_norm_elemt_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckBatchNormElemtBackward(const TensorParameter &gradOut, const TensorParameter &input,
                                 const TensorParameter &mean, const TensorParameter &invstd,
                                 const TensorParameter &weight, const TensorParameter &sumDy,
                                 const TensorParameter &sumDyXmu, const TensorParameter &counter,
                                 const TensorParameter &gradInput) {
  RequireNotNull({gradOut, input, mean, invstd, sumDy, sumDyXmu, counter, gradInput});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({counter}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({gradOut, mean, invstd, weight, sumDy, sumDyXmu, gradInput}, input);
  RequirePublicFormat({gradOut, input, mean, invstd, weight, sumDy, sumDyXmu, counter, gradInput});
  RequireRank({gradOut, input, gradInput}, 2, 8);
  RequireRank({mean, invstd, weight, sumDy, sumDyXmu}, 1, 1);
  RequireRank({counter}, 1, 8);
  RequireSameShape({gradOut, gradInput}, input);
  Require(Extent(input, 1) > 0, "input has channels");
  RequireShape(mean, {Extent(input, 1)});
  RequireShape(invstd, {Extent(input, 1)});
  RequireShape(weight, {Extent(input, 1)});
  RequireShape(sumDy, {Extent(input, 1)});
  RequireShape(sumDyXmu, {Extent(input, 1)});
}

}  // namespace

aclnnStatus aclnnBatchNormElemtBackwardGetWorkspaceSize(
    const aclTensor *gradOut, const aclTensor *input, const aclTensor *mean,
    const aclTensor *invstd, const aclTensor *weight, const aclTensor *sumDy,
    const aclTensor *sumDyXmu, aclTensor *counter, aclTensor *gradInput, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  return PlanOperator("aclnnBatchNormElemtBackward", workspaceSize, executor, [&] {
    CheckBatchNormElemtBackward({"gradOut", gradOut}, {"input", input}, {"mean", mean},
                                {"invstd", invstd}, {"weight", weight}, {"sumDy", sumDy},
                                {"sumDyXmu", sumDyXmu}, {"counter", counter},
                                {"gradInput", gradInput});
    const aclTensor weightAbsent = Filled({0}, 1.0F);
    if (weight == nullptr) weight = &weightAbsent;
    return Work{
        0,
        [gradOut = *gradOut, input = *input, mean = *mean, invstd = *invstd, weight = *weight,
         sumDy = *sumDy, sumDyXmu = *sumDyXmu, counter = *counter, gradInput = *gradInput](void *) {
          StandIn({gradInput}, {gradOut, input, mean, invstd, weight, sumDy, sumDyXmu, counter});
        }};
  });
}

aclnnStatus aclnnBatchNormElemtBackward(void *workspace, uint64_t workspaceSize,
                                        aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnBatchNormElemtBackward", workspace, workspaceSize, executor, stream);
}

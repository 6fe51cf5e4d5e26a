// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBatchNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_batch_norm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckBatchNorm(const TensorParameter &input, const TensorParameter &weight,
                    const TensorParameter &bias, const TensorParameter &runningMean,
                    const TensorParameter &runningVar, const TensorParameter &output,
                    const TensorParameter &saveMean, const TensorParameter &saveInvstd) {
  RequireNotNull({input, weight, bias, runningMean, runningVar, output, saveMean, saveInvstd});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({weight, bias, runningMean, runningVar, output, saveMean, saveInvstd}, input);
  RequireFormat({input, output}, {ACL_FORMAT_NC, ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NHWC,
                                  ACL_FORMAT_NCDHW, ACL_FORMAT_NDHWC, ACL_FORMAT_ND});
  RequirePublicFormat({weight, bias, runningMean, runningVar, saveMean, saveInvstd});
  RequireSameFormat({output}, input);
  RequireRank({input, output}, 2, 8);
  RequireRank({weight, bias, runningMean, runningVar, saveMean, saveInvstd}, 1, 1);
  RequireSameShape({output}, input);
  RequireShape(weight, {Extent(input, 1)});
  RequireShape(bias, {Extent(input, 1)});
  RequireShape(runningMean, {Extent(input, 1)});
  RequireShape(runningVar, {Extent(input, 1)});
  RequireShape(saveMean, {Extent(input, 1)});
  RequireShape(saveInvstd, {Extent(input, 1)});
}

}  // namespace

aclnnStatus aclnnBatchNormGetWorkspaceSize(const aclTensor *input, const aclTensor *weight,
                                           const aclTensor *bias, aclTensor *runningMean,
                                           aclTensor *runningVar, bool training, double momentum,
                                           double eps, aclTensor *output, aclTensor *saveMean,
                                           aclTensor *saveInvstd, uint64_t *workspaceSize,
                                           aclOpExecutor **executor) {
  static_cast<void>(training);
  static_cast<void>(momentum);
  static_cast<void>(eps);
  return PlanOperator("aclnnBatchNorm", workspaceSize, executor, [&] {
    CheckBatchNorm({"input", input}, {"weight", weight}, {"bias", bias},
                   {"runningMean", runningMean}, {"runningVar", runningVar}, {"output", output},
                   {"saveMean", saveMean}, {"saveInvstd", saveInvstd});
    return Work{0, [input = *input, weight = *weight, bias = *bias, runningMean = *runningMean,
                    runningVar = *runningVar, output = *output, saveMean = *saveMean,
                    saveInvstd = *saveInvstd](void *) {
                  StandIn({runningMean, runningVar, output, saveMean, saveInvstd},
                          {input, weight, bias, runningMean, runningVar});
                }};
  });
}

aclnnStatus aclnnBatchNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream) {
  return LaunchOperator("aclnnBatchNorm", workspace, workspaceSize, executor, stream);
}

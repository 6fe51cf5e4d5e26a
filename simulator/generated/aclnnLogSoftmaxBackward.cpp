// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogSoftmaxBackward.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/log_softmax_backward.h, not this file.
#include "aclnnop/aclnn_logsoftmax_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/log_softmax_backward.h"

using namespace simulator;

namespace {

void CheckLogSoftmaxBackward(const TensorParameter &gradOutput, const TensorParameter &output,
                             int64_t dim, const TensorParameter &out) {
  RequireNotNull({gradOutput, output, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({gradOutput}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({gradOutput}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({gradOutput}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({output, out}, gradOutput);
  RequirePublicFormat({gradOutput, output, out});
  RequireRank({gradOutput, output, out}, 1, 8);
  RequireSameShape({output, out}, gradOutput);
  Require(-(gradOutput->Rank()) <= dim && dim < gradOutput->Rank(),
          "dim names an axis of gradOutput");
}

}  // namespace

aclnnStatus aclnnLogSoftmaxBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                    const aclTensor *output, int64_t dim,
                                                    aclTensor *out, uint64_t *workspaceSize,
                                                    aclOpExecutor **executor) {
  return PlanOperator("aclnnLogSoftmaxBackward", workspaceSize, executor, [&] {
    CheckLogSoftmaxBackward({"gradOutput", gradOutput}, {"output", output}, dim, {"out", out});
    return Work{0, [gradOutput = *gradOutput, output = *output, out = *out, dim = dim](void *) {
                  MapRows(out, dim, LogSoftmaxBackward, gradOutput, output);
                }};
  });
}

aclnnStatus aclnnLogSoftmaxBackward(void *workspace, uint64_t workspaceSize,
                                    aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnLogSoftmaxBackward", workspace, workspaceSize, executor, stream);
}

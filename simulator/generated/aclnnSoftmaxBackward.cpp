// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftmaxBackward.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/softmax_backward.h, not this file.
#include "aclnnop/aclnn_softmax_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/softmax_backward.h"

using namespace simulator;

namespace {

void CheckSoftmaxBackward(const TensorParameter &gradOutput, const TensorParameter &output,
                          int64_t dim, const TensorParameter &out) {
  RequireNotNull({gradOutput, output, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({gradOutput}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({gradOutput}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({gradOutput}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({output, out}, gradOutput);
  RequirePublicFormat({gradOutput, output, out});
  RequireRank({gradOutput, output, out}, 0, 8);
  RequireSameShape({output, out}, gradOutput);
  Require(-(std::max<int64_t>(gradOutput->Rank(), 1)) <= dim &&
              dim < std::max<int64_t>(gradOutput->Rank(), 1),
          "dim names an axis of gradOutput");
}

}  // namespace

aclnnStatus aclnnSoftmaxBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                 const aclTensor *output, int64_t dim,
                                                 aclTensor *out, uint64_t *workspaceSize,
                                                 aclOpExecutor **executor) {
  return PlanOperator("aclnnSoftmaxBackward", workspaceSize, executor, [&] {
    CheckSoftmaxBackward({"gradOutput", gradOutput}, {"output", output}, dim, {"out", out});
    return Work{0, [gradOutput = *gradOutput, output = *output, out = *out, dim = dim](void *) {
                  MapRows(out, dim, SoftmaxBackward, gradOutput, output);
                }};
  });
}

aclnnStatus aclnnSoftmaxBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                 aclrtStream stream) {
  return LaunchOperator("aclnnSoftmaxBackward", workspace, workspaceSize, executor, stream);
}

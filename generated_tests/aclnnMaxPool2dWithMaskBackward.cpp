// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaxPool2dWithMaskBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"

namespace {

aclnnStatus PlanMaxPool2dWithMask(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnMaxPool2dWithMaskGetWorkspaceSize(
      arguments.Tensor("self"), arguments.IntArray("kernelSize"), arguments.IntArray("stride"),
      arguments.IntArray("padding"), arguments.IntArray("dilation"), arguments.Bool("ceilMode"),
      arguments.Tensor("out"), arguments.Tensor("indices"), workspaceSize, executor);
}

aclnnStatus PlanMaxPool2dWithMaskBackward(const aclnn_cts::Arguments &arguments,
                                          uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("indices"),
      arguments.IntArray("kernelSize"), arguments.IntArray("stride"), arguments.IntArray("padding"),
      arguments.IntArray("dilation"), arguments.Bool("ceilMode"), arguments.Tensor("gradInput"),
      workspaceSize, executor);
}

}  // namespace

int main(int argc, char **argv) {
  const aclnn_cts::Operator producer{"aclnnMaxPool2dWithMask", PlanMaxPool2dWithMask,
                                     aclnnMaxPool2dWithMask};
  const aclnn_cts::Operator measured{"aclnnMaxPool2dWithMaskBackward",
                                     PlanMaxPool2dWithMaskBackward, aclnnMaxPool2dWithMaskBackward};
  return aclnn_cts::RunProgram(argc, argv, measured, producer);
}

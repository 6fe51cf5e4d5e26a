// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaxPool2dWithIndicesBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"

namespace {

aclnnStatus PlanMaxPool2dWithIndicesBackward(const aclnn_cts::Arguments &arguments,
                                             uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("indices"),
      arguments.IntArray("kernelSize"), arguments.IntArray("stride"), arguments.IntArray("padding"),
      arguments.IntArray("dilation"), arguments.Bool("ceilMode"), arguments.Tensor("gradInput"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kMaxPool2dWithIndicesBackward({"aclnnMaxPool2dWithIndicesBackward",
                                                             PlanMaxPool2dWithIndicesBackward,
                                                             aclnnMaxPool2dWithIndicesBackward});

}  // namespace

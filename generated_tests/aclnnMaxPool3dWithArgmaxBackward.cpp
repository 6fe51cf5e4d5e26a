// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaxPool3dWithArgmaxBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_max_pool3d_with_argmax_backward.h"

namespace {

aclnnStatus PlanMaxPool3dWithArgmaxBackward(const aclnn_cts::Arguments &arguments,
                                            uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnMaxPool3dWithArgmaxBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("indices"),
      arguments.IntArray("kernelSize"), arguments.IntArray("stride"), arguments.IntArray("padding"),
      arguments.IntArray("dilation"), arguments.Bool("ceilMode"), arguments.Tensor("gradInput"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kMaxPool3dWithArgmaxBackward({"aclnnMaxPool3dWithArgmaxBackward",
                                                            PlanMaxPool3dWithArgmaxBackward,
                                                            aclnnMaxPool3dWithArgmaxBackward});

}  // namespace

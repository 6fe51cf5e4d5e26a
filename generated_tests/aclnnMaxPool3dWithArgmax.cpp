// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaxPool3dWithArgmax.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_max_pool3d_with_argmax.h"

namespace {

aclnnStatus PlanMaxPool3dWithArgmax(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                    aclOpExecutor **executor) {
  return aclnnMaxPool3dWithArgmaxGetWorkspaceSize(
      arguments.Tensor("self"), arguments.IntArray("kernelSize"), arguments.IntArray("stride"),
      arguments.IntArray("padding"), arguments.IntArray("dilation"), arguments.Bool("ceilMode"),
      arguments.Tensor("out"), arguments.Tensor("indices"), workspaceSize, executor);
}

const aclnn_cts::Registration kMaxPool3dWithArgmax({"aclnnMaxPool3dWithArgmax",
                                                    PlanMaxPool3dWithArgmax,
                                                    aclnnMaxPool3dWithArgmax});

}  // namespace

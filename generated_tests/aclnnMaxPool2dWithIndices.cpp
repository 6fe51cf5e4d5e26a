// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaxPool2dWithIndices.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_max_pool2d_with_indices.h"

namespace {

aclnnStatus PlanMaxPool2dWithIndices(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnMaxPool2dWithIndicesGetWorkspaceSize(
      arguments.Tensor("self"), arguments.IntArray("kernelSize"), arguments.IntArray("stride"),
      arguments.IntArray("padding"), arguments.IntArray("dilation"), arguments.Bool("ceilMode"),
      arguments.Tensor("out"), arguments.Tensor("indices"), workspaceSize, executor);
}

const aclnn_cts::Registration kMaxPool2dWithIndices({"aclnnMaxPool2dWithIndices",
                                                     PlanMaxPool2dWithIndices,
                                                     aclnnMaxPool2dWithIndices});

}  // namespace

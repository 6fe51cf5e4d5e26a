// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceMaskedFillTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_masked_fill_tensor.h"

namespace {

aclnnStatus PlanInplaceMaskedFillTensor(const aclnn_cts::Arguments &arguments,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplaceMaskedFillTensorGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Tensor("mask"), arguments.Tensor("value"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceMaskedFillTensor({"aclnnInplaceMaskedFillTensor",
                                                        PlanInplaceMaskedFillTensor,
                                                        aclnnInplaceMaskedFillTensor});

}  // namespace

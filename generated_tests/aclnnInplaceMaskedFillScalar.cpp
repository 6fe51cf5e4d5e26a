// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceMaskedFillScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_masked_fill_scalar.h"

namespace {

aclnnStatus PlanInplaceMaskedFillScalar(const aclnn_cts::Arguments &arguments,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplaceMaskedFillScalarGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Tensor("mask"), arguments.Scalar("value"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceMaskedFillScalar({"aclnnInplaceMaskedFillScalar",
                                                        PlanInplaceMaskedFillScalar,
                                                        aclnnInplaceMaskedFillScalar});

}  // namespace

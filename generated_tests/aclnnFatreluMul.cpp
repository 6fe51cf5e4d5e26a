// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFatreluMul.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_fatrelu_mul.h"

namespace {

aclnnStatus PlanFatreluMul(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnFatreluMulGetWorkspaceSize(arguments.Tensor("input"), arguments.Tensor("threshold"),
                                         arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kFatreluMul({"aclnnFatreluMul", PlanFatreluMul, aclnnFatreluMul});

}  // namespace

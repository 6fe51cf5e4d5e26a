// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeluMul.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_gelu_mul.h"

namespace {

aclnnStatus PlanGeluMul(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnGeluMulGetWorkspaceSize(arguments.Tensor("input"),
                                      arguments.String("approximateOptional"),
                                      arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kGeluMul({"aclnnGeluMul", PlanGeluMul, aclnnGeluMul});

}  // namespace

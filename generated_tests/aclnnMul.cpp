// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMul.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_mul.h"

namespace {

aclnnStatus PlanMul(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnMulGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                  arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kMul({"aclnnMul", PlanMul, aclnnMul});

}  // namespace

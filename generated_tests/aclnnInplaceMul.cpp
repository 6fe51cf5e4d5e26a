// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceMul.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_mul.h"

namespace {

aclnnStatus PlanInplaceMul(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnInplaceMulGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Tensor("other"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceMul({"aclnnInplaceMul", PlanInplaceMul, aclnnInplaceMul});

}  // namespace

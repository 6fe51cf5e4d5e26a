// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceSin.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sin.h"

namespace {

aclnnStatus PlanInplaceSin(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnInplaceSinGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceSin({"aclnnInplaceSin", PlanInplaceSin, aclnnInplaceSin});

}  // namespace

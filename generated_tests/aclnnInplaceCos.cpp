// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceCos.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_cos.h"

namespace {

aclnnStatus PlanInplaceCos(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnInplaceCosGetWorkspaceSize(arguments.Tensor("inputRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceCos({"aclnnInplaceCos", PlanInplaceCos, aclnnInplaceCos});

}  // namespace

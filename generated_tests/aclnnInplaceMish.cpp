// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceMish.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_mish.h"

namespace {

aclnnStatus PlanInplaceMish(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceMishGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceMish({"aclnnInplaceMish", PlanInplaceMish, aclnnInplaceMish});

}  // namespace

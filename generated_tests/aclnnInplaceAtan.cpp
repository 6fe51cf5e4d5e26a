// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceAtan.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_atan.h"

namespace {

aclnnStatus PlanInplaceAtan(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceAtanGetWorkspaceSize(arguments.Tensor("inputRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceAtan({"aclnnInplaceAtan", PlanInplaceAtan, aclnnInplaceAtan});

}  // namespace

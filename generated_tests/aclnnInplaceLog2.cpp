// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceLog2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_log2.h"

namespace {

aclnnStatus PlanInplaceLog2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceLog2GetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceLog2({"aclnnInplaceLog2", PlanInplaceLog2, aclnnInplaceLog2});

}  // namespace

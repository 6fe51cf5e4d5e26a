// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceLog10.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_log10.h"

namespace {

aclnnStatus PlanInplaceLog10(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnInplaceLog10GetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceLog10({"aclnnInplaceLog10", PlanInplaceLog10,
                                             aclnnInplaceLog10});

}  // namespace

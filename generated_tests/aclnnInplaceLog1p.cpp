// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceLog1p.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_log1p.h"

namespace {

aclnnStatus PlanInplaceLog1p(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnInplaceLog1pGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceLog1p({"aclnnInplaceLog1p", PlanInplaceLog1p,
                                             aclnnInplaceLog1p});

}  // namespace

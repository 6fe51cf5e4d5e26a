// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceDiv.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_div.h"

namespace {

aclnnStatus PlanInplaceDiv(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnInplaceDivGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Tensor("other"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceDiv({"aclnnInplaceDiv", PlanInplaceDiv, aclnnInplaceDiv});

}  // namespace

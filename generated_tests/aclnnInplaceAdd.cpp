// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceAdd.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add.h"

namespace {

aclnnStatus PlanInplaceAdd(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnInplaceAddGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Tensor("other"),
                                         arguments.Scalar("alpha"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceAdd({"aclnnInplaceAdd", PlanInplaceAdd, aclnnInplaceAdd});

}  // namespace

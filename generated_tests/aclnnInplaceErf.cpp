// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceErf.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_erf.h"

namespace {

aclnnStatus PlanInplaceErf(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnInplaceErfGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceErf({"aclnnInplaceErf", PlanInplaceErf, aclnnInplaceErf});

}  // namespace

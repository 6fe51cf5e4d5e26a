// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceOne.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_ones.h"

namespace {

aclnnStatus PlanInplaceOne(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnInplaceOneGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceOne({"aclnnInplaceOne", PlanInplaceOne, aclnnInplaceOne});

}  // namespace

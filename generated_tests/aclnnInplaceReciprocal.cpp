// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceReciprocal.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_reciprocal.h"

namespace {

aclnnStatus PlanInplaceReciprocal(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnInplaceReciprocalGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize,
                                                executor);
}

const aclnn_cts::Registration kInplaceReciprocal({"aclnnInplaceReciprocal", PlanInplaceReciprocal,
                                                  aclnnInplaceReciprocal});

}  // namespace

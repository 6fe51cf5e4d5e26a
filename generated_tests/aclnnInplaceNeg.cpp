// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceNeg.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_neg.h"

namespace {

aclnnStatus PlanInplaceNeg(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnInplaceNegGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceNeg({"aclnnInplaceNeg", PlanInplaceNeg, aclnnInplaceNeg});

}  // namespace

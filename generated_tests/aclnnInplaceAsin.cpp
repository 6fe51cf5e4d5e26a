// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceAsin.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_asin.h"

namespace {

aclnnStatus PlanInplaceAsin(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceAsinGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceAsin({"aclnnInplaceAsin", PlanInplaceAsin, aclnnInplaceAsin});

}  // namespace

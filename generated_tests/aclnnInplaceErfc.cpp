// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceErfc.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_erfc.h"

namespace {

aclnnStatus PlanInplaceErfc(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceErfcGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceErfc({"aclnnInplaceErfc", PlanInplaceErfc, aclnnInplaceErfc});

}  // namespace

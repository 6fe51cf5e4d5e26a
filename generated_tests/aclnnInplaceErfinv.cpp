// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceErfinv.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_erfinv.h"

namespace {

aclnnStatus PlanInplaceErfinv(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnInplaceErfinvGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceErfinv({"aclnnInplaceErfinv", PlanInplaceErfinv,
                                              aclnnInplaceErfinv});

}  // namespace

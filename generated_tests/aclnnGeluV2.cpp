// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeluV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_gelu_v2.h"

namespace {

aclnnStatus PlanGeluV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnGeluV2GetWorkspaceSize(arguments.Tensor("x"), arguments.Int64("approximate"),
                                     arguments.Tensor("y"), workspaceSize, executor);
}

const aclnn_cts::Registration kGeluV2({"aclnnGeluV2", PlanGeluV2, aclnnGeluV2});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceAddV3.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add_v3.h"

namespace {

aclnnStatus PlanInplaceAddV3(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnInplaceAddV3GetWorkspaceSize(arguments.Scalar("selfRef"), arguments.Tensor("other"),
                                           arguments.Scalar("alpha"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceAddV3({"aclnnInplaceAddV3", PlanInplaceAddV3,
                                             aclnnInplaceAddV3});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceSub.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sub.h"

namespace {

aclnnStatus PlanInplaceSub(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnInplaceSubGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Tensor("other"),
                                         arguments.Scalar("alpha"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceSub({"aclnnInplaceSub", PlanInplaceSub, aclnnInplaceSub});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceSubs.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sub.h"

namespace {

aclnnStatus PlanInplaceSubs(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceSubsGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Scalar("other"),
                                          arguments.Scalar("alpha"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceSubs({"aclnnInplaceSubs", PlanInplaceSubs, aclnnInplaceSubs});

}  // namespace

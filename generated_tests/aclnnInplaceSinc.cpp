// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceSinc.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sinc.h"

namespace {

aclnnStatus PlanInplaceSinc(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceSincGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceSinc({"aclnnInplaceSinc", PlanInplaceSinc, aclnnInplaceSinc});

}  // namespace

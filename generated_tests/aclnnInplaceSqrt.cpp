// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceSqrt.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sqrt.h"

namespace {

aclnnStatus PlanInplaceSqrt(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceSqrtGetWorkspaceSize(arguments.Tensor("self"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceSqrt({"aclnnInplaceSqrt", PlanInplaceSqrt, aclnnInplaceSqrt});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceSinh.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sinh.h"

namespace {

aclnnStatus PlanInplaceSinh(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceSinhGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceSinh({"aclnnInplaceSinh", PlanInplaceSinh, aclnnInplaceSinh});

}  // namespace

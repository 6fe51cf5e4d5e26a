// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceCeil.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_ceil.h"

namespace {

aclnnStatus PlanInplaceCeil(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceCeilGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceCeil({"aclnnInplaceCeil", PlanInplaceCeil, aclnnInplaceCeil});

}  // namespace

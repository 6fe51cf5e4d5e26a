// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceTril.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_tril.h"

namespace {

aclnnStatus PlanInplaceTril(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceTrilGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Int64("diagonal"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceTril({"aclnnInplaceTril", PlanInplaceTril, aclnnInplaceTril});

}  // namespace

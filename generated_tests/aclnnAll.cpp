// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAll.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_all.h"

namespace {

aclnnStatus PlanAll(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnAllGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("dim"),
                                  arguments.Bool("keepdim"), arguments.Tensor("out"), workspaceSize,
                                  executor);
}

const aclnn_cts::Registration kAll({"aclnnAll", PlanAll, aclnnAll});

}  // namespace

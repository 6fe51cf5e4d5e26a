// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnArgsort.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_argsort.h"

namespace {

aclnnStatus PlanArgsort(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnArgsortGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                      arguments.Bool("descending"), arguments.Tensor("out"),
                                      workspaceSize, executor);
}

const aclnn_cts::Registration kArgsort({"aclnnArgsort", PlanArgsort, aclnnArgsort});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnIndexFill.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_index_fill.h"

namespace {

aclnnStatus PlanIndexFill(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnIndexFillGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                        arguments.Tensor("index"), arguments.Scalar("value"),
                                        arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kIndexFill({"aclnnIndexFill", PlanIndexFill, aclnnIndexFill});

}  // namespace

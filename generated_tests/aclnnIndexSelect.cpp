// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnIndexSelect.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_index_select.h"

namespace {

aclnnStatus PlanIndexSelect(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnIndexSelectGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                          arguments.Tensor("index"), arguments.Tensor("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kIndexSelect({"aclnnIndexSelect", PlanIndexSelect, aclnnIndexSelect});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaskedSelect.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_masked_select.h"

namespace {

aclnnStatus PlanMaskedSelect(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnMaskedSelectGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("mask"),
                                           arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kMaskedSelect({"aclnnMaskedSelect", PlanMaskedSelect,
                                             aclnnMaskedSelect});

}  // namespace

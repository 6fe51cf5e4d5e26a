// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDiv.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_div.h"

namespace {

aclnnStatus PlanDiv(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnDivGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                  arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kDiv({"aclnnDiv", PlanDiv, aclnnDiv});

}  // namespace

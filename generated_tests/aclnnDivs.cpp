// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDivs.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_div.h"

namespace {

aclnnStatus PlanDivs(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnDivsGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                   arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kDivs({"aclnnDivs", PlanDivs, aclnnDivs});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMax.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_max.h"

namespace {

aclnnStatus PlanMax(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnMaxGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                  executor);
}

const aclnn_cts::Registration kMax({"aclnnMax", PlanMax, aclnnMax});

}  // namespace

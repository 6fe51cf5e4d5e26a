// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMin.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_min.h"

namespace {

aclnnStatus PlanMin(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnMinGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                  executor);
}

const aclnn_cts::Registration kMin({"aclnnMin", PlanMin, aclnnMin});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnErf.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_erf.h"

namespace {

aclnnStatus PlanErf(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnErfGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                  executor);
}

const aclnn_cts::Registration kErf({"aclnnErf", PlanErf, aclnnErf});

}  // namespace

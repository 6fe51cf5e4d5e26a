// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSin.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sin.h"

namespace {

aclnnStatus PlanSin(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnSinGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                  executor);
}

const aclnn_cts::Registration kSin({"aclnnSin", PlanSin, aclnnSin});

}  // namespace

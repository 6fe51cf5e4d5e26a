// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnIsInf.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_is_inf.h"

namespace {

aclnnStatus PlanIsInf(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnIsInfGetWorkspaceSize(arguments.Tensor("x"), arguments.Tensor("out"), workspaceSize,
                                    executor);
}

const aclnn_cts::Registration kIsInf({"aclnnIsInf", PlanIsInf, aclnnIsInf});

}  // namespace

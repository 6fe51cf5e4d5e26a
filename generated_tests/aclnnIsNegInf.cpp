// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnIsNegInf.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_isneginf.h"

namespace {

aclnnStatus PlanIsNegInf(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnIsNegInfGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                       workspaceSize, executor);
}

const aclnn_cts::Registration kIsNegInf({"aclnnIsNegInf", PlanIsNegInf, aclnnIsNegInf});

}  // namespace

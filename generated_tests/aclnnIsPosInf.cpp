// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnIsPosInf.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_isposinf.h"

namespace {

aclnnStatus PlanIsPosInf(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnIsPosInfGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                       workspaceSize, executor);
}

const aclnn_cts::Registration kIsPosInf({"aclnnIsPosInf", PlanIsPosInf, aclnnIsPosInf});

}  // namespace

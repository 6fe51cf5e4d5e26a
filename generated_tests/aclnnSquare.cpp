// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSquare.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_square.h"

namespace {

aclnnStatus PlanSquare(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnSquareGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                     workspaceSize, executor);
}

const aclnn_cts::Registration kSquare({"aclnnSquare", PlanSquare, aclnnSquare});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachRoundOffNumber.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_round_off_number.h"

namespace {

aclnnStatus PlanForeachRoundOffNumber(const aclnn_cts::Arguments &arguments,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnForeachRoundOffNumberGetWorkspaceSize(
      arguments.TensorList("x"), arguments.Tensor("roundMode"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachRoundOffNumber({"aclnnForeachRoundOffNumber",
                                                      PlanForeachRoundOffNumber,
                                                      aclnnForeachRoundOffNumber});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachRoundOffNumberV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_round_off_number_v2.h"

namespace {

aclnnStatus PlanForeachRoundOffNumberV2(const aclnn_cts::Arguments &arguments,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnForeachRoundOffNumberV2GetWorkspaceSize(
      arguments.TensorList("x"), arguments.Scalar("roundMode"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachRoundOffNumberV2({"aclnnForeachRoundOffNumberV2",
                                                        PlanForeachRoundOffNumberV2,
                                                        aclnnForeachRoundOffNumberV2});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnClippedSwiglu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_clipped_swiglu.h"

namespace {

aclnnStatus PlanClippedSwiglu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnClippedSwigluGetWorkspaceSize(
      arguments.Tensor("x"), arguments.Tensor("groupIndexOptional"), arguments.Int64("dim"),
      arguments.Double("alpha"), arguments.Double("limit"), arguments.Double("bias"),
      arguments.Bool("interleaved"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kClippedSwiglu({"aclnnClippedSwiglu", PlanClippedSwiglu,
                                              aclnnClippedSwiglu});

}  // namespace

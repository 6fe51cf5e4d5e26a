// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaxUnpool3d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_max_unpool3d.h"

namespace {

aclnnStatus PlanMaxUnpool3d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnMaxUnpool3dGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Tensor("indices"), arguments.IntArray("outputSize"),
      arguments.IntArray("stride"), arguments.IntArray("padding"), arguments.Tensor("outRef"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kMaxUnpool3d({"aclnnMaxUnpool3d", PlanMaxUnpool3d, aclnnMaxUnpool3d});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCircularPad3d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_circular_pad3d.h"

namespace {

aclnnStatus PlanCircularPad3d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnCircularPad3dGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("padding"),
                                            arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kCircularPad3d({"aclnnCircularPad3d", PlanCircularPad3d,
                                              aclnnCircularPad3d});

}  // namespace

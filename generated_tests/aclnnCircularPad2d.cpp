// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCircularPad2d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_circular_pad2d.h"

namespace {

aclnnStatus PlanCircularPad2d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnCircularPad2dGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("padding"),
                                            arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kCircularPad2d({"aclnnCircularPad2d", PlanCircularPad2d,
                                              aclnnCircularPad2d});

}  // namespace

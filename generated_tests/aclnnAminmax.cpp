// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAminmax.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_aminmax.h"

namespace {

aclnnStatus PlanAminmax(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnAminmaxGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("dim"),
                                      arguments.Bool("keepDim"), arguments.Tensor("minOut"),
                                      arguments.Tensor("maxOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kAminmax({"aclnnAminmax", PlanAminmax, aclnnAminmax});

}  // namespace

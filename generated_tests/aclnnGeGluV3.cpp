// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeGluV3.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_geglu.h"

namespace {

aclnnStatus PlanGeGluV3(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnGeGluV3GetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                      arguments.Int64("approximate"),
                                      arguments.Bool("activateLeft"), arguments.Tensor("out"),
                                      arguments.Tensor("outGelu"), workspaceSize, executor);
}

const aclnn_cts::Registration kGeGluV3({"aclnnGeGluV3", PlanGeGluV3, aclnnGeGluV3});

}  // namespace

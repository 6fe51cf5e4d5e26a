// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddV3.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add_v3.h"

namespace {

aclnnStatus PlanAddV3(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnAddV3GetWorkspaceSize(arguments.Scalar("self"), arguments.Tensor("other"),
                                    arguments.Scalar("alpha"), arguments.Tensor("out"),
                                    workspaceSize, executor);
}

const aclnn_cts::Registration kAddV3({"aclnnAddV3", PlanAddV3, aclnnAddV3});

}  // namespace

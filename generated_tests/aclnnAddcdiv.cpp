// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddcdiv.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_addcdiv.h"

namespace {

aclnnStatus PlanAddcdiv(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnAddcdivGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("tensor1"),
                                      arguments.Tensor("tensor2"), arguments.Scalar("value"),
                                      arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kAddcdiv({"aclnnAddcdiv", PlanAddcdiv, aclnnAddcdiv});

}  // namespace

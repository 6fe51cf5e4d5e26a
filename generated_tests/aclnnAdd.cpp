// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdd.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add.h"

namespace {

aclnnStatus PlanAdd(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnAddGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                  arguments.Scalar("alpha"), arguments.Tensor("out"), workspaceSize,
                                  executor);
}

const aclnn_cts::Registration kAdd({"aclnnAdd", PlanAdd, aclnnAdd});

}  // namespace

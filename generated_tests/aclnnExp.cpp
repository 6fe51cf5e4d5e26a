// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnExp.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_exp.h"

namespace {

aclnnStatus PlanExp(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnExpGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                  executor);
}

const aclnn_cts::Registration kExp({"aclnnExp", PlanExp, aclnnExp});

}  // namespace

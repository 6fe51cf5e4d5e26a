// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnEqual.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_equal.h"

namespace {

aclnnStatus PlanEqual(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnEqualGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                    arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kEqual({"aclnnEqual", PlanEqual, aclnnEqual});

}  // namespace

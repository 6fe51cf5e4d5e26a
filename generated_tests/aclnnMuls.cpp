// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMuls.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_mul.h"

namespace {

aclnnStatus PlanMuls(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnMulsGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                   arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kMuls({"aclnnMuls", PlanMuls, aclnnMuls});

}  // namespace

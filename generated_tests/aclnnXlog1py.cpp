// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnXlog1py.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_xlog1py.h"

namespace {

aclnnStatus PlanXlog1py(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnXlog1pyGetWorkspaceSize(arguments.Tensor("x"), arguments.Tensor("y"),
                                      arguments.Tensor("z"), workspaceSize, executor);
}

const aclnn_cts::Registration kXlog1py({"aclnnXlog1py", PlanXlog1py, aclnnXlog1py});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnXLogYScalarSelf.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_x_log_y_scalar_self.h"

namespace {

aclnnStatus PlanXLogYScalarSelf(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnXLogYScalarSelfGetWorkspaceSize(arguments.Scalar("self"), arguments.Tensor("other"),
                                              arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kXLogYScalarSelf({"aclnnXLogYScalarSelf", PlanXLogYScalarSelf,
                                                aclnnXLogYScalarSelf});

}  // namespace

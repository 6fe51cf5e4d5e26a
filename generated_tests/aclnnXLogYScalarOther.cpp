// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnXLogYScalarOther.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_x_log_y_scalar_other.h"

namespace {

aclnnStatus PlanXLogYScalarOther(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnXLogYScalarOtherGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                               arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kXLogYScalarOther({"aclnnXLogYScalarOther", PlanXLogYScalarOther,
                                                 aclnnXLogYScalarOther});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceXLogYScalarOther.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_x_log_y_scalar_other.h"

namespace {

aclnnStatus PlanInplaceXLogYScalarOther(const aclnn_cts::Arguments &arguments,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplaceXLogYScalarOtherGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Scalar("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceXLogYScalarOther({"aclnnInplaceXLogYScalarOther",
                                                        PlanInplaceXLogYScalarOther,
                                                        aclnnInplaceXLogYScalarOther});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceElu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_elu.h"

namespace {

aclnnStatus PlanInplaceElu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnInplaceEluGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Scalar("alpha"),
                                         arguments.Scalar("scale"), arguments.Scalar("inputScale"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceElu({"aclnnInplaceElu", PlanInplaceElu, aclnnInplaceElu});

}  // namespace

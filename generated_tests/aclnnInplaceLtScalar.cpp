// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceLtScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_lt_scalar.h"

namespace {

aclnnStatus PlanInplaceLtScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnInplaceLtScalarGetWorkspaceSize(arguments.Tensor("selfRef"),
                                              arguments.Scalar("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceLtScalar({"aclnnInplaceLtScalar", PlanInplaceLtScalar,
                                                aclnnInplaceLtScalar});

}  // namespace

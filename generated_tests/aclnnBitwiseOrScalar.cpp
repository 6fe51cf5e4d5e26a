// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBitwiseOrScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bitwise_or_scalar.h"

namespace {

aclnnStatus PlanBitwiseOrScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnBitwiseOrScalarGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                              arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kBitwiseOrScalar({"aclnnBitwiseOrScalar", PlanBitwiseOrScalar,
                                                aclnnBitwiseOrScalar});

}  // namespace

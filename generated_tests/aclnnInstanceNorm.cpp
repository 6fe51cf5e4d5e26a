// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInstanceNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_instance_norm.h"

namespace {

aclnnStatus PlanInstanceNorm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnInstanceNormGetWorkspaceSize(
      arguments.Tensor("x"), arguments.Tensor("gamma"), arguments.Tensor("beta"),
      arguments.String("dataFormat"), arguments.Double("eps"), arguments.Tensor("y"),
      arguments.Tensor("mean"), arguments.Tensor("variance"), workspaceSize, executor);
}

const aclnn_cts::Registration kInstanceNorm({"aclnnInstanceNorm", PlanInstanceNorm,
                                             aclnnInstanceNorm});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFastGelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_fast_gelu.h"

namespace {

aclnnStatus PlanFastGelu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnFastGeluGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                       workspaceSize, executor);
}

const aclnn_cts::Registration kFastGelu({"aclnnFastGelu", PlanFastGelu, aclnnFastGelu});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSwiGlu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_swi_glu.h"

namespace {

aclnnStatus PlanSwiGlu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnSwiGluGetWorkspaceSize(arguments.Tensor("x"), arguments.Int64("dim"),
                                     arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kSwiGlu({"aclnnSwiGlu", PlanSwiGlu, aclnnSwiGlu});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGlu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_glu.h"

namespace {

aclnnStatus PlanGlu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnGluGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                  arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kGlu({"aclnnGlu", PlanGlu, aclnnGlu});

}  // namespace

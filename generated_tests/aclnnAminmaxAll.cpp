// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAminmaxAll.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_aminmax_all.h"

namespace {

aclnnStatus PlanAminmaxAll(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnAminmaxAllGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("minOut"),
                                         arguments.Tensor("maxOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kAminmaxAll({"aclnnAminmaxAll", PlanAminmaxAll, aclnnAminmaxAll});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSignbit.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_signbit.h"

namespace {

aclnnStatus PlanSignbit(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnSignbitGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                      workspaceSize, executor);
}

const aclnn_cts::Registration kSignbit({"aclnnSignbit", PlanSignbit, aclnnSignbit});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnIsFinite.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_isfinite.h"

namespace {

aclnnStatus PlanIsFinite(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnIsFiniteGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                       workspaceSize, executor);
}

const aclnn_cts::Registration kIsFinite({"aclnnIsFinite", PlanIsFinite, aclnnIsFinite});

}  // namespace

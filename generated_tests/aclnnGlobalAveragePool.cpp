// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGlobalAveragePool.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_global_average_pool.h"

namespace {

aclnnStatus PlanGlobalAveragePool(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnGlobalAveragePoolGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                                workspaceSize, executor);
}

const aclnn_cts::Registration kGlobalAveragePool({"aclnnGlobalAveragePool", PlanGlobalAveragePool,
                                                  aclnnGlobalAveragePool});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGlobalMaxPool.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_global_max_pool.h"

namespace {

aclnnStatus PlanGlobalMaxPool(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnGlobalMaxPoolGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                            workspaceSize, executor);
}

const aclnn_cts::Registration kGlobalMaxPool({"aclnnGlobalMaxPool", PlanGlobalMaxPool,
                                              aclnnGlobalMaxPool});

}  // namespace

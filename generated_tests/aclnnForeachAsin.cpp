// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachAsin.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_asin.h"

namespace {

aclnnStatus PlanForeachAsin(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnForeachAsinGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kForeachAsin({"aclnnForeachAsin", PlanForeachAsin, aclnnForeachAsin});

}  // namespace

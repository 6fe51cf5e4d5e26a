// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnExpm1.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_expm1.h"

namespace {

aclnnStatus PlanExpm1(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnExpm1GetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                    workspaceSize, executor);
}

const aclnn_cts::Registration kExpm1({"aclnnExpm1", PlanExpm1, aclnnExpm1});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAny.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_any.h"

namespace {

aclnnStatus PlanAny(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnAnyGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("dim"),
                                  arguments.Bool("keepdim"), arguments.Tensor("out"), workspaceSize,
                                  executor);
}

const aclnn_cts::Registration kAny({"aclnnAny", PlanAny, aclnnAny});

}  // namespace

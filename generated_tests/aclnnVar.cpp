// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnVar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_var.h"

namespace {

aclnnStatus PlanVar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnVarGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("dim"),
                                  arguments.Bool("unbiased"), arguments.Bool("keepdim"),
                                  arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kVar({"aclnnVar", PlanVar, aclnnVar});

}  // namespace

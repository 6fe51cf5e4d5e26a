// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSituGlu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_situ_glu.h"

namespace {

aclnnStatus PlanSituGlu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnSituGluGetWorkspaceSize(arguments.Tensor("x"), arguments.Int64("dim"),
                                      arguments.Double("beta"), arguments.Double("linearBeta"),
                                      arguments.Bool("activateLeft"), arguments.Tensor("out"),
                                      workspaceSize, executor);
}

const aclnn_cts::Registration kSituGlu({"aclnnSituGlu", PlanSituGlu, aclnnSituGlu});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_norm.h"

namespace {

aclnnStatus PlanNorm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnNormGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("pScalar"),
                                   arguments.IntArray("dim"), arguments.Bool("keepdim"),
                                   arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kNorm({"aclnnNorm", PlanNorm, aclnnNorm});

}  // namespace

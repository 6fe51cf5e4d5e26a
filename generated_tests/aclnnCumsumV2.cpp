// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCumsumV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_cumsum.h"

namespace {

aclnnStatus PlanCumsumV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnCumsumV2GetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                       arguments.Bool("exclusive"), arguments.Bool("reverse"),
                                       arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kCumsumV2({"aclnnCumsumV2", PlanCumsumV2, aclnnCumsumV2});

}  // namespace

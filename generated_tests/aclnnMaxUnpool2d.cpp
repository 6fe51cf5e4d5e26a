// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaxUnpool2d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_max_unpool2d.h"

namespace {

aclnnStatus PlanMaxUnpool2d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnMaxUnpool2dGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("indices"),
                                          arguments.IntArray("outputSize"), arguments.Tensor("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kMaxUnpool2d({"aclnnMaxUnpool2d", PlanMaxUnpool2d, aclnnMaxUnpool2d});

}  // namespace

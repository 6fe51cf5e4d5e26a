// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCdistBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_cdist_backward.h"

namespace {

aclnnStatus PlanCdistBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnCdistBackwardGetWorkspaceSize(arguments.Tensor("grad"), arguments.Tensor("x1"),
                                            arguments.Tensor("x2"), arguments.Tensor("cdist"),
                                            arguments.Float("p"), arguments.Tensor("out"),
                                            workspaceSize, executor);
}

const aclnn_cts::Registration kCdistBackward({"aclnnCdistBackward", PlanCdistBackward,
                                              aclnnCdistBackward});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnApplyTopKTopP.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_apply_top_ktop_p.h"

namespace {

aclnnStatus PlanApplyTopKTopP(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnApplyTopKTopPGetWorkspaceSize(arguments.Tensor("logits"), arguments.Tensor("p"),
                                            arguments.Tensor("k"), arguments.Tensor("out"),
                                            workspaceSize, executor);
}

const aclnn_cts::Registration kApplyTopKTopP({"aclnnApplyTopKTopP", PlanApplyTopKTopP,
                                              aclnnApplyTopKTopP});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDropoutDoMask.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_dropout_do_mask.h"

namespace {

aclnnStatus PlanDropoutDoMask(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnDropoutDoMaskGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("mask"),
                                            arguments.Double("prob"), arguments.Tensor("out"),
                                            workspaceSize, executor);
}

const aclnn_cts::Registration kDropoutDoMask({"aclnnDropoutDoMask", PlanDropoutDoMask,
                                              aclnnDropoutDoMask});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogit.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_logit.h"

namespace {

aclnnStatus PlanLogit(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnLogitGetWorkspaceSize(arguments.Tensor("input"), arguments.Double("eps"),
                                    arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kLogit({"aclnnLogit", PlanLogit, aclnnLogit});

}  // namespace

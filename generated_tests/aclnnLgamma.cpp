// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLgamma.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_lgamma.h"

namespace {

aclnnStatus PlanLgamma(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnLgammaGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                     workspaceSize, executor);
}

const aclnn_cts::Registration kLgamma({"aclnnLgamma", PlanLgamma, aclnnLgamma});

}  // namespace

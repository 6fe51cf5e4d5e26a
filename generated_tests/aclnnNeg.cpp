// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNeg.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_neg.h"

namespace {

aclnnStatus PlanNeg(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnNegGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                  executor);
}

const aclnn_cts::Registration kNeg({"aclnnNeg", PlanNeg, aclnnNeg});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceCelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_celu.h"

namespace {

aclnnStatus PlanInplaceCelu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceCeluGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Scalar("alpha"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceCelu({"aclnnInplaceCelu", PlanInplaceCelu, aclnnInplaceCelu});

}  // namespace

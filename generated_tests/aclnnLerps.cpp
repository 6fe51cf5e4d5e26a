// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLerps.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_lerp_scalar.h"

namespace {

aclnnStatus PlanLerps(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnLerpsGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("end"),
                                    arguments.Scalar("weight"), arguments.Tensor("out"),
                                    workspaceSize, executor);
}

const aclnn_cts::Registration kLerps({"aclnnLerps", PlanLerps, aclnnLerps});

}  // namespace

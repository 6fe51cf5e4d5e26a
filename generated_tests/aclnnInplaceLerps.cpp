// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceLerps.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_lerp_scalar.h"

namespace {

aclnnStatus PlanInplaceLerps(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnInplaceLerpsGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Tensor("end"),
                                           arguments.Scalar("weight"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceLerps({"aclnnInplaceLerps", PlanInplaceLerps,
                                             aclnnInplaceLerps});

}  // namespace

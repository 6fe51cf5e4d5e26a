// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceLerp.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_lerp_tensor.h"

namespace {

aclnnStatus PlanInplaceLerp(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceLerpGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Tensor("end"),
                                          arguments.Tensor("weight"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceLerp({"aclnnInplaceLerp", PlanInplaceLerp, aclnnInplaceLerp});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRsqrt.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_rsqrt.h"

namespace {

aclnnStatus PlanRsqrt(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnRsqrtGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                    workspaceSize, executor);
}

const aclnn_cts::Registration kRsqrt({"aclnnRsqrt", PlanRsqrt, aclnnRsqrt});

}  // namespace

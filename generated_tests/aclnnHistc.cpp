// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHistc.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_histc.h"

namespace {

aclnnStatus PlanHistc(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnHistcGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("bins"),
                                    arguments.Scalar("min"), arguments.Scalar("max"),
                                    arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kHistc({"aclnnHistc", PlanHistc, aclnnHistc});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSimThreadExponential.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sim_thread_exponential.h"

namespace {

aclnnStatus PlanSimThreadExponential(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnSimThreadExponentialGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Int64("count"), arguments.Double("lambda"),
      arguments.Int64("seed"), arguments.Int64("offset"), workspaceSize, executor);
}

const aclnn_cts::Registration kSimThreadExponential({"aclnnSimThreadExponential",
                                                     PlanSimThreadExponential,
                                                     aclnnSimThreadExponential});

}  // namespace

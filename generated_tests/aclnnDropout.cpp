// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDropout.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_dropout.h"

namespace {

aclnnStatus PlanDropout(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnDropoutGetWorkspaceSize(arguments.Tensor("input"), arguments.Double("p"),
                                      arguments.Bool("train"), arguments.Int64("seed"),
                                      arguments.Int64("offset"), arguments.Tensor("out"),
                                      arguments.Tensor("maskOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kDropout({"aclnnDropout", PlanDropout, aclnnDropout});

}  // namespace

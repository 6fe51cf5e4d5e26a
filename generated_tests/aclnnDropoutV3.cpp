// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDropoutV3.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_dropout_v3.h"

namespace {

aclnnStatus PlanDropoutV3(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnDropoutV3GetWorkspaceSize(
      arguments.Tensor("input"), arguments.Tensor("optionalNoiseShape"), arguments.Double("p"),
      arguments.Int64("seed"), arguments.Int64("offset"), arguments.Tensor("out"),
      arguments.Tensor("maskOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kDropoutV3({"aclnnDropoutV3", PlanDropoutV3, aclnnDropoutV3});

}  // namespace

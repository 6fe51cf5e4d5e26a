// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSilentCheck.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_silent_check.h"

namespace {

aclnnStatus PlanSilentCheck(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnSilentCheckGetWorkspaceSize(
      arguments.Tensor("val"), arguments.Tensor("inputGradRef"), arguments.Tensor("sfdaRef"),
      arguments.Tensor("stepRef"), arguments.Int32("cMinSteps"), arguments.Float("cThreshL1"),
      arguments.Float("cCoeffL1"), arguments.Float("cThreshL2"), arguments.Float("cCoeffL2"),
      arguments.Int32("npuAsdDetect"), arguments.Tensor("result"), workspaceSize, executor);
}

const aclnn_cts::Registration kSilentCheck({"aclnnSilentCheck", PlanSilentCheck, aclnnSilentCheck});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRReluWithNoise.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_rrelu_with_noise.h"

namespace {

aclnnStatus PlanRReluWithNoise(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnRReluWithNoiseGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Tensor("noise"), arguments.Scalar("lower"),
      arguments.Scalar("upper"), arguments.Bool("training"), arguments.Int64("seed"),
      arguments.Int64("offset"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kRReluWithNoise({"aclnnRReluWithNoise", PlanRReluWithNoise,
                                               aclnnRReluWithNoise});

}  // namespace

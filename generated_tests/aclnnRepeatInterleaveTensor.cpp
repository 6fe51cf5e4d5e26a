// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRepeatInterleaveTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_repeat_interleave_tensor.h"

namespace {

aclnnStatus PlanRepeatInterleaveTensor(const aclnn_cts::Arguments &arguments,
                                       uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnRepeatInterleaveTensorGetWorkspaceSize(
      arguments.Tensor("repeats"), arguments.Int64("outputSize"), arguments.Tensor("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kRepeatInterleaveTensor({"aclnnRepeatInterleaveTensor",
                                                       PlanRepeatInterleaveTensor,
                                                       aclnnRepeatInterleaveTensor});

}  // namespace

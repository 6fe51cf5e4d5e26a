// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceSigmoid.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sigmoid.h"

namespace {

aclnnStatus PlanInplaceSigmoid(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnInplaceSigmoidGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceSigmoid({"aclnnInplaceSigmoid", PlanInplaceSigmoid,
                                               aclnnInplaceSigmoid});

}  // namespace

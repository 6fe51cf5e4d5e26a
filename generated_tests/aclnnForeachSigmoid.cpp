// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachSigmoid.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_sigmoid.h"

namespace {

aclnnStatus PlanForeachSigmoid(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnForeachSigmoidGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                             workspaceSize, executor);
}

const aclnn_cts::Registration kForeachSigmoid({"aclnnForeachSigmoid", PlanForeachSigmoid,
                                               aclnnForeachSigmoid});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnElu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_elu.h"

namespace {

aclnnStatus PlanElu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnEluGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("alpha"),
                                  arguments.Scalar("scale"), arguments.Scalar("inputScale"),
                                  arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kElu({"aclnnElu", PlanElu, aclnnElu});

}  // namespace

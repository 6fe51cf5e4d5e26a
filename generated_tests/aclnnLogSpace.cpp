// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogSpace.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_log_space.h"

namespace {

aclnnStatus PlanLogSpace(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnLogSpaceGetWorkspaceSize(arguments.Scalar("start"), arguments.Scalar("end"),
                                       arguments.Int64("steps"), arguments.Double("base"),
                                       arguments.Tensor("result"), workspaceSize, executor);
}

const aclnn_cts::Registration kLogSpace({"aclnnLogSpace", PlanLogSpace, aclnnLogSpace});

}  // namespace

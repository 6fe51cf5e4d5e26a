// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdds.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add.h"

namespace {

aclnnStatus PlanAdds(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnAddsGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                   arguments.Scalar("alpha"), arguments.Tensor("out"),
                                   workspaceSize, executor);
}

const aclnn_cts::Registration kAdds({"aclnnAdds", PlanAdds, aclnnAdds});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceAdds.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add.h"

namespace {

aclnnStatus PlanInplaceAdds(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceAddsGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Scalar("other"),
                                          arguments.Scalar("alpha"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceAdds({"aclnnInplaceAdds", PlanInplaceAdds, aclnnInplaceAdds});

}  // namespace

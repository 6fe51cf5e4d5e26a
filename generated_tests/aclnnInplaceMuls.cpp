// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceMuls.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_mul.h"

namespace {

aclnnStatus PlanInplaceMuls(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceMulsGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Scalar("other"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceMuls({"aclnnInplaceMuls", PlanInplaceMuls, aclnnInplaceMuls});

}  // namespace

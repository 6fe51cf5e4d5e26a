// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceTriu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_triu.h"

namespace {

aclnnStatus PlanInplaceTriu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceTriuGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Int64("diagonal"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceTriu({"aclnnInplaceTriu", PlanInplaceTriu, aclnnInplaceTriu});

}  // namespace

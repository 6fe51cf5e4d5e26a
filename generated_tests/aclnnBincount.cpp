// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBincount.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bincount.h"

namespace {

aclnnStatus PlanBincount(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnBincountGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("weights"),
                                       arguments.Int64("minlength"), arguments.Tensor("out"),
                                       workspaceSize, executor);
}

const aclnn_cts::Registration kBincount({"aclnnBincount", PlanBincount, aclnnBincount});

}  // namespace

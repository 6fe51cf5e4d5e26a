// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnExpSegsum.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_segsum.h"

namespace {

aclnnStatus PlanExpSegsum(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnExpSegsumGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                        workspaceSize, executor);
}

const aclnn_cts::Registration kExpSegsum({"aclnnExpSegsum", PlanExpSegsum, aclnnExpSegsum});

}  // namespace

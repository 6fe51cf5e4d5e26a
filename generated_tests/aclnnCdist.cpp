// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCdist.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_cdist.h"

namespace {

aclnnStatus PlanCdist(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnCdistGetWorkspaceSize(arguments.Tensor("x1"), arguments.Tensor("x2"),
                                    arguments.Float("p"), arguments.Int64("compute_mode"),
                                    arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kCdist({"aclnnCdist", PlanCdist, aclnnCdist});

}  // namespace

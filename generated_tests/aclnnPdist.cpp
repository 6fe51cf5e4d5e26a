// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnPdist.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_pdist.h"

namespace {

aclnnStatus PlanPdist(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnPdistGetWorkspaceSize(arguments.Tensor("self"), arguments.Float("p"),
                                    arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kPdist({"aclnnPdist", PlanPdist, aclnnPdist});

}  // namespace

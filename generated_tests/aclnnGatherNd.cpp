// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGatherNd.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_gather_nd.h"

namespace {

aclnnStatus PlanGatherNd(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnGatherNdGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("indices"),
                                       arguments.Bool("negativeIndexSupport"),
                                       arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kGatherNd({"aclnnGatherNd", PlanGatherNd, aclnnGatherNd});

}  // namespace

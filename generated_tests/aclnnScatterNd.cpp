// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnScatterNd.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_scatter_nd.h"

namespace {

aclnnStatus PlanScatterNd(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnScatterNdGetWorkspaceSize(arguments.Tensor("data"), arguments.Tensor("indices"),
                                        arguments.Tensor("updates"), arguments.Tensor("out"),
                                        workspaceSize, executor);
}

const aclnn_cts::Registration kScatterNd({"aclnnScatterNd", PlanScatterNd, aclnnScatterNd});

}  // namespace

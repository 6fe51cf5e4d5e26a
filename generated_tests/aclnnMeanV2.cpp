// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMeanV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_mean.h"

namespace {

aclnnStatus PlanMeanV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnMeanV2GetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("dim"),
                                     arguments.Bool("keepDim"), arguments.Bool("noopWithEmptyAxes"),
                                     arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kMeanV2({"aclnnMeanV2", PlanMeanV2, aclnnMeanV2});

}  // namespace

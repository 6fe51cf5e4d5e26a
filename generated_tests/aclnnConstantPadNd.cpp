// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnConstantPadNd.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_constant_pad_nd.h"

namespace {

aclnnStatus PlanConstantPadNd(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnConstantPadNdGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("pad"),
                                            arguments.Scalar("value"), arguments.Tensor("out"),
                                            workspaceSize, executor);
}

const aclnn_cts::Registration kConstantPadNd({"aclnnConstantPadNd", PlanConstantPadNd,
                                              aclnnConstantPadNd});

}  // namespace

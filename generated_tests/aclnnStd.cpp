// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnStd.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_std.h"

namespace {

aclnnStatus PlanStd(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnStdGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("dim"),
                                  arguments.Int64("correction"), arguments.Bool("keepdim"),
                                  arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kStd({"aclnnStd", PlanStd, aclnnStd});

}  // namespace

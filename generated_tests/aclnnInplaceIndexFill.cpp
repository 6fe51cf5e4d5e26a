// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceIndexFill.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_index_fill.h"

namespace {

aclnnStatus PlanInplaceIndexFill(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnInplaceIndexFillGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Int64("dim"),
                                               arguments.Tensor("index"), arguments.Scalar("value"),
                                               workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceIndexFill({"aclnnInplaceIndexFill", PlanInplaceIndexFill,
                                                 aclnnInplaceIndexFill});

}  // namespace

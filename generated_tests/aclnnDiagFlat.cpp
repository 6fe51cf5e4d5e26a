// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDiagFlat.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_diag_flat.h"

namespace {

aclnnStatus PlanDiagFlat(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnDiagFlatGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("diagonal"),
                                       arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kDiagFlat({"aclnnDiagFlat", PlanDiagFlat, aclnnDiagFlat});

}  // namespace

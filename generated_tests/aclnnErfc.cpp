// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnErfc.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_erfc.h"

namespace {

aclnnStatus PlanErfc(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnErfcGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                   executor);
}

const aclnn_cts::Registration kErfc({"aclnnErfc", PlanErfc, aclnnErfc});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLinalgQr.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_linalg_qr.h"

namespace {

aclnnStatus PlanLinalgQr(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnLinalgQrGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("mode"),
                                       arguments.Tensor("Q"), arguments.Tensor("R"), workspaceSize,
                                       executor);
}

const aclnn_cts::Registration kLinalgQr({"aclnnLinalgQr", PlanLinalgQr, aclnnLinalgQr});

}  // namespace

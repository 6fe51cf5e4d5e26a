// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnQr.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_qr.h"

namespace {

aclnnStatus PlanQr(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                   aclOpExecutor **executor) {
  return aclnnQrGetWorkspaceSize(arguments.Tensor("self"), arguments.Bool("some"),
                                 arguments.Tensor("Q"), arguments.Tensor("R"), workspaceSize,
                                 executor);
}

const aclnn_cts::Registration kQr({"aclnnQr", PlanQr, aclnnQr});

}  // namespace

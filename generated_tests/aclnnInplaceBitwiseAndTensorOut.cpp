// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceBitwiseAndTensorOut.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bitwiseand.h"

namespace {

aclnnStatus PlanInplaceBitwiseAndTensorOut(const aclnn_cts::Arguments &arguments,
                                           uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplaceBitwiseAndTensorOutGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Tensor("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceBitwiseAndTensorOut({"aclnnInplaceBitwiseAndTensorOut",
                                                           PlanInplaceBitwiseAndTensorOut,
                                                           aclnnInplaceBitwiseAndTensorOut});

}  // namespace

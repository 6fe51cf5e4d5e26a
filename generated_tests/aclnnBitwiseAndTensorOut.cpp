// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBitwiseAndTensorOut.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bitwiseand.h"

namespace {

aclnnStatus PlanBitwiseAndTensorOut(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                    aclOpExecutor **executor) {
  return aclnnBitwiseAndTensorOutGetWorkspaceSize(arguments.Tensor("self"),
                                                  arguments.Tensor("other"),
                                                  arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kBitwiseAndTensorOut({"aclnnBitwiseAndTensorOut",
                                                    PlanBitwiseAndTensorOut,
                                                    aclnnBitwiseAndTensorOut});

}  // namespace

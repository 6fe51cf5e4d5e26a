// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceSelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_selu.h"

namespace {

aclnnStatus PlanInplaceSelu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceSeluGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceSelu({"aclnnInplaceSelu", PlanInplaceSelu, aclnnInplaceSelu});

}  // namespace

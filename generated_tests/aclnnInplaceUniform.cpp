// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceUniform.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_uniform.h"

namespace {

aclnnStatus PlanInplaceUniform(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnInplaceUniformGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Double("from"),
                                             arguments.Double("to"), arguments.Uint64("seed"),
                                             arguments.Uint64("offset"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceUniform({"aclnnInplaceUniform", PlanInplaceUniform,
                                               aclnnInplaceUniform});

}  // namespace

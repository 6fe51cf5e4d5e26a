// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRandom.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_random.h"

namespace {

aclnnStatus PlanInplaceRandom(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnInplaceRandomGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Int64("from"),
                                            arguments.Int64("to"), arguments.Int64("seed"),
                                            arguments.Int64("offset"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceRandom({"aclnnInplaceRandom", PlanInplaceRandom,
                                              aclnnInplaceRandom});

}  // namespace

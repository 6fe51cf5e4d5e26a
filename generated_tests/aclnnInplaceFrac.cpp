// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceFrac.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_frac.h"

namespace {

aclnnStatus PlanInplaceFrac(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceFracGetWorkspaceSize(arguments.Tensor("inputRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceFrac({"aclnnInplaceFrac", PlanInplaceFrac, aclnnInplaceFrac});

}  // namespace

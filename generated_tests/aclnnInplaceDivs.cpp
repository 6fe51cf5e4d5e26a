// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceDivs.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_div.h"

namespace {

aclnnStatus PlanInplaceDivs(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceDivsGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Scalar("other"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceDivs({"aclnnInplaceDivs", PlanInplaceDivs, aclnnInplaceDivs});

}  // namespace

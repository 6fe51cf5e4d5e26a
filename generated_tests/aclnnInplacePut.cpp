// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplacePut.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_inplace_put.h"

namespace {

aclnnStatus PlanInplacePut(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnInplacePutGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Tensor("index"),
                                         arguments.Tensor("source"), arguments.Bool("accumulate"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kInplacePut({"aclnnInplacePut", PlanInplacePut, aclnnInplacePut});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnTopk.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_topk.h"

namespace {

aclnnStatus PlanTopk(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnTopkGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("k"),
                                   arguments.Int64("dim"), arguments.Bool("largest"),
                                   arguments.Bool("sorted"), arguments.Tensor("valuesOut"),
                                   arguments.Tensor("indicesOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kTopk({"aclnnTopk", PlanTopk, aclnnTopk});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnKthvalue.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_kthvalue.h"

namespace {

aclnnStatus PlanKthvalue(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnKthvalueGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("k"),
                                       arguments.Int64("dim"), arguments.Bool("keepdim"),
                                       arguments.Tensor("valuesOut"),
                                       arguments.Tensor("indicesOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kKthvalue({"aclnnKthvalue", PlanKthvalue, aclnnKthvalue});

}  // namespace

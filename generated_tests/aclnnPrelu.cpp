// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnPrelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_prelu.h"

namespace {

aclnnStatus PlanPrelu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnPreluGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("weight"),
                                    arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kPrelu({"aclnnPrelu", PlanPrelu, aclnnPrelu});

}  // namespace

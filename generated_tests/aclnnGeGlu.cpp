// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeGlu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_geglu.h"

namespace {

aclnnStatus PlanGeGlu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnGeGluGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                    arguments.Int64("approximate"), arguments.Tensor("out"),
                                    arguments.Tensor("outGelu"), workspaceSize, executor);
}

const aclnn_cts::Registration kGeGlu({"aclnnGeGlu", PlanGeGlu, aclnnGeGlu});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHeaviside.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_heaviside.h"

namespace {

aclnnStatus PlanHeaviside(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnHeavisideGetWorkspaceSize(arguments.Tensor("input"), arguments.Tensor("values"),
                                        arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kHeaviside({"aclnnHeaviside", PlanHeaviside, aclnnHeaviside});

}  // namespace

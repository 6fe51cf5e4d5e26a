// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceHardsigmoid.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_hardsigmoid.h"

namespace {

aclnnStatus PlanInplaceHardsigmoid(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnInplaceHardsigmoidGetWorkspaceSize(arguments.Tensor("self"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceHardsigmoid({"aclnnInplaceHardsigmoid",
                                                   PlanInplaceHardsigmoid,
                                                   aclnnInplaceHardsigmoid});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaxV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_max_v2.h"

namespace {

aclnnStatus PlanMaxV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnMaxV2GetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("dims"),
                                    arguments.Bool("keepDims"), arguments.Bool("noopWithEmptyDims"),
                                    arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kMaxV2({"aclnnMaxV2", PlanMaxV2, aclnnMaxV2});

}  // namespace

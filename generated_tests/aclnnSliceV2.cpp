// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSliceV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_slice_v2.h"

namespace {

aclnnStatus PlanSliceV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnSliceV2GetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("starts"),
                                      arguments.IntArray("ends"), arguments.IntArray("axes"),
                                      arguments.IntArray("steps"), arguments.Tensor("out"),
                                      workspaceSize, executor);
}

const aclnn_cts::Registration kSliceV2({"aclnnSliceV2", PlanSliceV2, aclnnSliceV2});

}  // namespace

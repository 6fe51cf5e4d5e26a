// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSlice.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_slice.h"

namespace {

aclnnStatus PlanSlice(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnSliceGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                    arguments.Int64("start"), arguments.Int64("end"),
                                    arguments.Int64("step"), arguments.Tensor("out"), workspaceSize,
                                    executor);
}

const aclnn_cts::Registration kSlice({"aclnnSlice", PlanSlice, aclnnSlice});

}  // namespace

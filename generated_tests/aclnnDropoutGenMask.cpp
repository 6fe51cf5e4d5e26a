// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDropoutGenMask.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_dropout_gen_mask.h"

namespace {

aclnnStatus PlanDropoutGenMask(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnDropoutGenMaskGetWorkspaceSize(arguments.IntArray("shape"), arguments.Double("prob"),
                                             arguments.Int64("seed"), arguments.Int64("offset"),
                                             arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kDropoutGenMask({"aclnnDropoutGenMask", PlanDropoutGenMask,
                                               aclnnDropoutGenMask});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDropoutGenMaskV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_dropout_gen_mask.h"

namespace {

aclnnStatus PlanDropoutGenMaskV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnDropoutGenMaskV2GetWorkspaceSize(
      arguments.IntArray("shape"), arguments.Double("prob"), arguments.Int64("seed"),
      arguments.Int64("offset"), arguments.DataType("probDataType"), arguments.Tensor("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kDropoutGenMaskV2({"aclnnDropoutGenMaskV2", PlanDropoutGenMaskV2,
                                                 aclnnDropoutGenMaskV2});

}  // namespace

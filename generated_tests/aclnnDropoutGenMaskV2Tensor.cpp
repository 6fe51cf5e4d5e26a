// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDropoutGenMaskV2Tensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_dropout_gen_mask.h"

namespace {

aclnnStatus PlanDropoutGenMaskV2Tensor(const aclnn_cts::Arguments &arguments,
                                       uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnDropoutGenMaskV2TensorGetWorkspaceSize(
      arguments.IntArray("shape"), arguments.Double("prob"), arguments.Tensor("seedTensor"),
      arguments.Tensor("offsetTensor"), arguments.Int64("offset"),
      arguments.DataType("probDataType"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kDropoutGenMaskV2Tensor({"aclnnDropoutGenMaskV2Tensor",
                                                       PlanDropoutGenMaskV2Tensor,
                                                       aclnnDropoutGenMaskV2Tensor});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaskedSoftmaxWithRelPosBias.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_masked_softmax_with_rel_pos_bias.h"

namespace {

aclnnStatus PlanMaskedSoftmaxWithRelPosBias(const aclnn_cts::Arguments &arguments,
                                            uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnMaskedSoftmaxWithRelPosBiasGetWorkspaceSize(
      arguments.Tensor("x"), arguments.Tensor("attenMaskOptional"),
      arguments.Tensor("relativePosBias"), arguments.Double("scaleValue"),
      arguments.Int64("innerPrecisionMode"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kMaskedSoftmaxWithRelPosBias({"aclnnMaskedSoftmaxWithRelPosBias",
                                                            PlanMaskedSoftmaxWithRelPosBias,
                                                            aclnnMaskedSoftmaxWithRelPosBias});

}  // namespace

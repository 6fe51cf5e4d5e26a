// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaskedScale.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_masked_scale.h"

namespace {

aclnnStatus PlanMaskedScale(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnMaskedScaleGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("mask"),
                                          arguments.Float("scale"), arguments.Tensor("y"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kMaskedScale({"aclnnMaskedScale", PlanMaskedScale, aclnnMaskedScale});

}  // namespace

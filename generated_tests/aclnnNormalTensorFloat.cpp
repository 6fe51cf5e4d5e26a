// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNormalTensorFloat.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_normal_out.h"

namespace {

aclnnStatus PlanNormalTensorFloat(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnNormalTensorFloatGetWorkspaceSize(arguments.Tensor("mean"), arguments.Float("std"),
                                                arguments.Int64("seed"), arguments.Int64("offset"),
                                                arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kNormalTensorFloat({"aclnnNormalTensorFloat", PlanNormalTensorFloat,
                                                  aclnnNormalTensorFloat});

}  // namespace

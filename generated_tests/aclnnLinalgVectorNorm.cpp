// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLinalgVectorNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_linalg_vector_norm.h"

namespace {

aclnnStatus PlanLinalgVectorNorm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnLinalgVectorNormGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Scalar("ord"), arguments.IntArray("dims"),
      arguments.Bool("keepDims"), arguments.DataType("dtype"), arguments.Tensor("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kLinalgVectorNorm({"aclnnLinalgVectorNorm", PlanLinalgVectorNorm,
                                                 aclnnLinalgVectorNorm});

}  // namespace

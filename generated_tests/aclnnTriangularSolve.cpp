// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnTriangularSolve.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_triangular_solve.h"

namespace {

aclnnStatus PlanTriangularSolve(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnTriangularSolveGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Tensor("A"), arguments.Bool("upper"),
      arguments.Bool("transpose"), arguments.Bool("unitriangular"), arguments.Tensor("xOut"),
      arguments.Tensor("mOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kTriangularSolve({"aclnnTriangularSolve", PlanTriangularSolve,
                                                aclnnTriangularSolve});

}  // namespace

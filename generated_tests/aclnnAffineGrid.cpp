// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAffineGrid.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_affine_grid.h"

namespace {

aclnnStatus PlanAffineGrid(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnAffineGridGetWorkspaceSize(arguments.Tensor("theta"), arguments.IntArray("size"),
                                         arguments.Bool("alignCorners"), arguments.Tensor("out"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kAffineGrid({"aclnnAffineGrid", PlanAffineGrid, aclnnAffineGrid});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnProdDim.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_prod.h"

namespace {

aclnnStatus PlanProdDim(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnProdDimGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                      arguments.Bool("keepDim"), arguments.DataType("dtype"),
                                      arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kProdDim({"aclnnProdDim", PlanProdDim, aclnnProdDim});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnProd.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_prod.h"

namespace {

aclnnStatus PlanProd(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnProdGetWorkspaceSize(arguments.Tensor("self"), arguments.DataType("dtype"),
                                   arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kProd({"aclnnProd", PlanProd, aclnnProd});

}  // namespace

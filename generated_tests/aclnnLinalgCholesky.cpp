// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLinalgCholesky.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_linalg_cholesky.h"

namespace {

aclnnStatus PlanLinalgCholesky(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnLinalgCholeskyGetWorkspaceSize(arguments.Tensor("self"), arguments.Bool("upper"),
                                             arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kLinalgCholesky({"aclnnLinalgCholesky", PlanLinalgCholesky,
                                               aclnnLinalgCholesky});

}  // namespace

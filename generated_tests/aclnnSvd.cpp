// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSvd.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_svd.h"

namespace {

aclnnStatus PlanSvd(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnSvdGetWorkspaceSize(arguments.Tensor("input"), arguments.Bool("fullMatrices"),
                                  arguments.Bool("computeUV"), arguments.Tensor("sigma"),
                                  arguments.Tensor("u"), arguments.Tensor("v"), workspaceSize,
                                  executor);
}

const aclnn_cts::Registration kSvd({"aclnnSvd", PlanSvd, aclnnSvd});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceMaskedScatter.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_inplace_masked_scatter.h"

namespace {

aclnnStatus PlanInplaceMaskedScatter(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnInplaceMaskedScatterGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Tensor("mask"), arguments.Tensor("source"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceMaskedScatter({"aclnnInplaceMaskedScatter",
                                                     PlanInplaceMaskedScatter,
                                                     aclnnInplaceMaskedScatter});

}  // namespace

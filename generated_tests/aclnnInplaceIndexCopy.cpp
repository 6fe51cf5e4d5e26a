// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceIndexCopy.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_index_copy.h"

namespace {

aclnnStatus PlanInplaceIndexCopy(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnInplaceIndexCopyGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Int64("dim"),
                                               arguments.Tensor("index"),
                                               arguments.Tensor("source"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceIndexCopy({"aclnnInplaceIndexCopy", PlanInplaceIndexCopy,
                                                 aclnnInplaceIndexCopy});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceNormal.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_normal.h"

namespace {

aclnnStatus PlanInplaceNormal(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnInplaceNormalGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Float("mean"),
                                            arguments.Float("std"), arguments.Int64("seed"),
                                            arguments.Int64("offset"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceNormal({"aclnnInplaceNormal", PlanInplaceNormal,
                                              aclnnInplaceNormal});

}  // namespace

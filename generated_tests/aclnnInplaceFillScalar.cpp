// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceFillScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_fill_scalar.h"

namespace {

aclnnStatus PlanInplaceFillScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnInplaceFillScalarGetWorkspaceSize(arguments.Tensor("selfRef"),
                                                arguments.Scalar("value"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceFillScalar({"aclnnInplaceFillScalar", PlanInplaceFillScalar,
                                                  aclnnInplaceFillScalar});

}  // namespace

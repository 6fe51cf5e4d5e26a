// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBernoulliTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bernoulli.h"

namespace {

aclnnStatus PlanBernoulliTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnBernoulliTensorGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("prob"),
                                              arguments.Int64("seed"), arguments.Int64("offset"),
                                              arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kBernoulliTensor({"aclnnBernoulliTensor", PlanBernoulliTensor,
                                                aclnnBernoulliTensor});

}  // namespace

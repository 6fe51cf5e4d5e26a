// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceBernoulliTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bernoulli.h"

namespace {

aclnnStatus PlanInplaceBernoulliTensor(const aclnn_cts::Arguments &arguments,
                                       uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplaceBernoulliTensorGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Tensor("prob"), arguments.Int64("seed"),
      arguments.Int64("offset"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceBernoulliTensor({"aclnnInplaceBernoulliTensor",
                                                       PlanInplaceBernoulliTensor,
                                                       aclnnInplaceBernoulliTensor});

}  // namespace

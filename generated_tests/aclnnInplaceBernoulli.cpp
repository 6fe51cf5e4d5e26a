// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceBernoulli.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bernoulli.h"

namespace {

aclnnStatus PlanInplaceBernoulli(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnInplaceBernoulliGetWorkspaceSize(arguments.Tensor("selfRef"),
                                               arguments.Scalar("prob"), arguments.Int64("seed"),
                                               arguments.Int64("offset"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceBernoulli({"aclnnInplaceBernoulli", PlanInplaceBernoulli,
                                                 aclnnInplaceBernoulli});

}  // namespace

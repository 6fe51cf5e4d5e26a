// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBernoulli.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bernoulli.h"

namespace {

aclnnStatus PlanBernoulli(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnBernoulliGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("prob"),
                                        arguments.Int64("seed"), arguments.Int64("offset"),
                                        arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kBernoulli({"aclnnBernoulli", PlanBernoulli, aclnnBernoulli});

}  // namespace

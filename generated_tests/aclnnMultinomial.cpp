// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMultinomial.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_multinomial.h"

namespace {

aclnnStatus PlanMultinomial(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnMultinomialGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("numsamples"),
                                          arguments.Bool("replacement"), arguments.Int64("seed"),
                                          arguments.Int64("offset"), arguments.Tensor("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kMultinomial({"aclnnMultinomial", PlanMultinomial, aclnnMultinomial});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnKlDiv.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_kl_div.h"

namespace {

aclnnStatus PlanKlDiv(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnKlDivGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("target"),
                                    arguments.Int64("reduction"), arguments.Bool("logTarget"),
                                    arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kKlDiv({"aclnnKlDiv", PlanKlDiv, aclnnKlDiv});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSort.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sort.h"

namespace {

aclnnStatus PlanSort(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnSortGetWorkspaceSize(arguments.Tensor("self"), arguments.Bool("stable"),
                                   arguments.Int64("dim"), arguments.Bool("descending"),
                                   arguments.Tensor("valuesOut"), arguments.Tensor("indicesOut"),
                                   workspaceSize, executor);
}

const aclnn_cts::Registration kSort({"aclnnSort", PlanSort, aclnnSort});

}  // namespace

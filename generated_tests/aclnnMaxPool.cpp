// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaxPool.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_max_pool.h"

namespace {

aclnnStatus PlanMaxPool(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnMaxPoolGetWorkspaceSize(
      arguments.Tensor("self"), arguments.IntArray("kernelShape"), arguments.IntArray("strides"),
      arguments.Int64("autoPad"), arguments.IntArray("pads"), arguments.IntArray("dilations"),
      arguments.Int64("ceilMode"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kMaxPool({"aclnnMaxPool", PlanMaxPool, aclnnMaxPool});

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBatchNormReduce.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_batch_norm_reduce.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckBatchNormReduce(const TensorParameter &x, const TensorParameter &sum,
                          const TensorParameter &squareSum) {
  RequireNotNull({x, sum, squareSum});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({sum, squareSum}, {ACL_FLOAT});
  RequireFormat({x}, {ACL_FORMAT_NCHW});
  RequirePublicFormat({sum, squareSum});
  RequireRank({x}, 4, 4);
  RequireRank({sum, squareSum}, 1, 1);
  RequireShape(sum, {Extent(x, 1)});
  RequireShape(squareSum, {Extent(x, 1)});
}

}  // namespace

aclnnStatus aclnnBatchNormReduceGetWorkspaceSize(const aclTensor *x, aclTensor *sum,
                                                 aclTensor *squareSum, uint64_t *workspaceSize,
                                                 aclOpExecutor **executor) {
  return PlanOperator("aclnnBatchNormReduce", workspaceSize, executor, [&] {
    CheckBatchNormReduce({"x", x}, {"sum", sum}, {"squareSum", squareSum});
    return Work{0, [x = *x, sum = *sum, squareSum = *squareSum](void *) {
                  StandIn({sum, squareSum}, {x});
                }};
  });
}

aclnnStatus aclnnBatchNormReduce(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                 aclrtStream stream) {
  return LaunchOperator("aclnnBatchNormReduce", workspace, workspaceSize, executor, stream);
}

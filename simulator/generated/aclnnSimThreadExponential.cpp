// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSimThreadExponential.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_sim_thread_exponential.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckSimThreadExponential(const TensorParameter &selfRef, int64_t count, double lambda,
                               int64_t offset) {
  RequireNotNull({selfRef});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 0, 8);
  Require(lambda > 0, "lambda is above 0");
  Require(count == ElementCount(selfRef->shape), "count is the number of elements of selfRef");
  if (IsOn({Product::kAscend950}))
    Require((offset % 4) == 0, "on this product offset is a multiple of 4");
}

}  // namespace

aclnnStatus aclnnSimThreadExponentialGetWorkspaceSize(aclTensor *selfRef, int64_t count,
                                                      double lambda, int64_t seed, int64_t offset,
                                                      uint64_t *workspaceSize,
                                                      aclOpExecutor **executor) {
  static_cast<void>(seed);
  return PlanOperator("aclnnSimThreadExponential", workspaceSize, executor, [&] {
    CheckSimThreadExponential({"selfRef", selfRef}, count, lambda, offset);
    return Work{0, [selfRef = *selfRef](void *) { StandIn({selfRef}, {selfRef}); }};
  });
}

aclnnStatus aclnnSimThreadExponential(void *workspace, uint64_t workspaceSize,
                                      aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnSimThreadExponential", workspace, workspaceSize, executor, stream);
}

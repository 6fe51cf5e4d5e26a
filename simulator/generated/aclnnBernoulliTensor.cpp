// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBernoulliTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_bernoulli.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckBernoulliTensor(const TensorParameter &self, const TensorParameter &prob, int64_t offset,
                          const TensorParameter &out) {
  RequireNotNull({self, prob, out});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_UINT8, ACL_INT8, ACL_INT16,
                           ACL_INT32, ACL_INT64, ACL_BOOL, ACL_BF16});
  RequireDataType({prob}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_BF16}, Product::kAtlasA3);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_BF16}, Product::kAtlasA2);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasTraining);
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, prob, out});
  RequireRank({self, prob, out}, 0, 8);
  RequireSameShape({prob, out}, self);
  Require((offset % 4) == 0, "offset is a multiple of 4");
}

}  // namespace

aclnnStatus aclnnBernoulliTensorGetWorkspaceSize(const aclTensor *self, const aclTensor *prob,
                                                 int64_t seed, int64_t offset, aclTensor *out,
                                                 uint64_t *workspaceSize,
                                                 aclOpExecutor **executor) {
  static_cast<void>(seed);
  return PlanOperator("aclnnBernoulliTensor", workspaceSize, executor, [&] {
    CheckBernoulliTensor({"self", self}, {"prob", prob}, offset, {"out", out});
    return Work{0,
                [self = *self, prob = *prob, out = *out](void *) { StandIn({out}, {self, prob}); }};
  });
}

aclnnStatus aclnnBernoulliTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                 aclrtStream stream) {
  return LaunchOperator("aclnnBernoulliTensor", workspace, workspaceSize, executor, stream);
}

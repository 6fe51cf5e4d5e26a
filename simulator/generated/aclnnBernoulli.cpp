// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBernoulli.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_bernoulli.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckBernoulli(const TensorParameter &self, const ScalarParameter &prob, int64_t offset,
                    const TensorParameter &out) {
  RequireNotNull({self, out}, {}, {prob});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT16, ACL_FLOAT, ACL_DOUBLE, ACL_UINT8, ACL_INT8, ACL_INT16,
                           ACL_INT32, ACL_INT64, ACL_BOOL, ACL_BF16});
  RequireDataType({self},
                  {ACL_FLOAT16, ACL_FLOAT, ACL_DOUBLE, ACL_UINT8, ACL_INT8, ACL_INT16, ACL_INT32,
                   ACL_INT64, ACL_BOOL},
                  Product::kAtlasTraining);
  RequireScalarType({prob}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_BF16});
  RequireScalarType({prob}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasTraining);
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
  Require(0 <= ToDouble(*prob.scalar) && ToDouble(*prob.scalar) <= 1, "prob lies between 0 and 1");
  Require((offset % 4) == 0, "offset is a multiple of 4");
}

}  // namespace

aclnnStatus aclnnBernoulliGetWorkspaceSize(const aclTensor *self, const aclScalar *prob,
                                           int64_t seed, int64_t offset, aclTensor *out,
                                           uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(seed);
  return PlanOperator("aclnnBernoulli", workspaceSize, executor, [&] {
    CheckBernoulli({"self", self}, {"prob", prob}, offset, {"out", out});
    return Work{0, [self = *self, out = *out](void *) { StandIn({out}, {self}); }};
  });
}

aclnnStatus aclnnBernoulli(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream) {
  return LaunchOperator("aclnnBernoulli", workspace, workspaceSize, executor, stream);
}

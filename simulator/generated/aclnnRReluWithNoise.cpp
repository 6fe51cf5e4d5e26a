// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRReluWithNoise.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_rrelu_with_noise.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckRReluWithNoise(const TensorParameter &self, const TensorParameter &noise,
                         const ScalarParameter &lower, const ScalarParameter &upper,
                         const TensorParameter &out) {
  RequireNotNull({self, noise, out}, {}, {lower, upper});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({lower, upper}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireScalarType({lower, upper}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({noise, out}, self);
  RequirePublicFormat({self, noise, out});
  RequireSameFormat({noise, out}, self);
  RequireRank({self, noise, out}, 0, 32);
  RequireSameShape({noise, out}, self);
  RequireContiguous({out});
}

}  // namespace

aclnnStatus aclnnRReluWithNoiseGetWorkspaceSize(const aclTensor *self, const aclTensor *noise,
                                                const aclScalar *lower, const aclScalar *upper,
                                                bool training, int64_t seed, int64_t offset,
                                                aclTensor *out, uint64_t *workspaceSize,
                                                aclOpExecutor **executor) {
  static_cast<void>(training);
  static_cast<void>(seed);
  static_cast<void>(offset);
  return PlanOperator("aclnnRReluWithNoise", workspaceSize, executor, [&] {
    CheckRReluWithNoise({"self", self}, {"noise", noise}, {"lower", lower}, {"upper", upper},
                        {"out", out});
    return Work{0, [self = *self, noise = *noise, out = *out](void *) {
                  StandIn({noise, out}, {self, noise});
                }};
  });
}

aclnnStatus aclnnRReluWithNoise(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream) {
  return LaunchOperator("aclnnRReluWithNoise", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRReluWithNoise.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_rrelu_with_noise.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckInplaceRReluWithNoise(const TensorParameter &self, const TensorParameter &noise,
                                const ScalarParameter &lower, const ScalarParameter &upper) {
  RequireNotNull({self, noise}, {}, {lower, upper});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({lower, upper}, {self->dataType});
  RequireSameDataType({noise}, self);
  RequirePublicFormat({self, noise});
  RequireSameFormat({noise}, self);
  RequireRank({self, noise}, 0, 32);
  RequireSameShape({noise}, self);
}

}  // namespace

aclnnStatus aclnnInplaceRReluWithNoiseGetWorkspaceSize(
    const aclTensor *self, const aclTensor *noise, const aclScalar *lower, const aclScalar *upper,
    bool training, int64_t seed, int64_t offset, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  static_cast<void>(training);
  static_cast<void>(seed);
  static_cast<void>(offset);
  return PlanOperator("aclnnInplaceRReluWithNoise", workspaceSize, executor, [&] {
    CheckInplaceRReluWithNoise({"self", self}, {"noise", noise}, {"lower", lower},
                               {"upper", upper});
    return Work{0,
                [self = *self, noise = *noise](void *) { StandIn({self, noise}, {self, noise}); }};
  });
}

aclnnStatus aclnnInplaceRReluWithNoise(void *workspace, uint64_t workspaceSize,
                                       aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnInplaceRReluWithNoise", workspace, workspaceSize, executor, stream);
}

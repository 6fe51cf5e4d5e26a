// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMultinomialTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_multinomial.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckMultinomialTensor(const TensorParameter &self, int64_t numsamples, bool replacement,
                            const TensorParameter &seedTensor, const TensorParameter &offsetTensor,
                            const TensorParameter &out) {
  RequireNotNull({self, seedTensor, offsetTensor, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE});
  RequireDataType({seedTensor, offsetTensor, out}, {ACL_INT64});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, Product::kAscend950);
  RequirePublicFormat({self, seedTensor, offsetTensor, out});
  RequireRank({self, out}, 1, 2);
  RequireRank({seedTensor, offsetTensor}, 1, 1);
  Require(numsamples > 0, "numsamples is above 0");
  Require((replacement) || (numsamples <= Extent(self, -1)),
          "without replacement, numsamples is at most the last extent of self");
  RequireShape(seedTensor, {1});
  RequireShape(offsetTensor, {1});
  RequireShape(out, Joined(Shape(self->shape.begin(), self->shape.end() - 1), {numsamples}));
}

}  // namespace

aclnnStatus aclnnMultinomialTensorGetWorkspaceSize(const aclTensor *self, int64_t numsamples,
                                                   bool replacement, const aclTensor *seedTensor,
                                                   const aclTensor *offsetTensor, int64_t offset,
                                                   aclTensor *out, uint64_t *workspaceSize,
                                                   aclOpExecutor **executor) {
  static_cast<void>(offset);
  return PlanOperator("aclnnMultinomialTensor", workspaceSize, executor, [&] {
    CheckMultinomialTensor({"self", self}, numsamples, replacement, {"seedTensor", seedTensor},
                           {"offsetTensor", offsetTensor}, {"out", out});
    return Work{0, [self = *self, seedTensor = *seedTensor, offsetTensor = *offsetTensor,
                    out = *out](void *) { StandIn({out}, {self, seedTensor, offsetTensor}); }};
  });
}

aclnnStatus aclnnMultinomialTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnMultinomialTensor", workspace, workspaceSize, executor, stream);
}

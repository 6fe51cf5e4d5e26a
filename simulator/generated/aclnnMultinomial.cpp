// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMultinomial.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_multinomial.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckMultinomial(const TensorParameter &self, int64_t numsamples, bool replacement,
                      int64_t offset, const TensorParameter &out) {
  RequireNotNull({self, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE});
  RequireDataType({out}, {ACL_INT64});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasTraining);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 1, 2);
  Require(numsamples > 0, "numsamples is above 0");
  Require((replacement) || (numsamples <= Extent(self, -1)),
          "without replacement, numsamples is at most the last extent of self");
  if (IsOn({Product::kAscend950}))
    Require((offset % 4) == 0, "on this product offset is a multiple of 4");
  RequireShape(out, Joined(Shape(self->shape.begin(), self->shape.end() - 1), {numsamples}));
}

}  // namespace

aclnnStatus aclnnMultinomialGetWorkspaceSize(const aclTensor *self, int64_t numsamples,
                                             bool replacement, int64_t seed, int64_t offset,
                                             aclTensor *out, uint64_t *workspaceSize,
                                             aclOpExecutor **executor) {
  static_cast<void>(seed);
  return PlanOperator("aclnnMultinomial", workspaceSize, executor, [&] {
    CheckMultinomial({"self", self}, numsamples, replacement, offset, {"out", out});
    return Work{0, [self = *self, out = *out](void *) { StandIn({out}, {self}); }};
  });
}

aclnnStatus aclnnMultinomial(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                             aclrtStream stream) {
  return LaunchOperator("aclnnMultinomial", workspace, workspaceSize, executor, stream);
}

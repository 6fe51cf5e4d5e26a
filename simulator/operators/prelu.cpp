// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "aclnnop/aclnn_prelu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

void CheckPrelu(const TensorParameter &self, const TensorParameter &weight,
                const TensorParameter &out) {
  RequireNotNull({self, weight, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self, weight, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self, weight, out}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self, weight, out}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequirePublicFormat({self, weight, out});
  RequireRank({self, weight, out}, 0, 8);
  RequireSameShape({out}, self);
  RequireSameFormat({out}, self);
  const int64_t channels = self->Rank() < 2 ? 1 : self->shape[1];
  const int64_t weights = ElementCount(weight->shape);
  Require(weights == 1 || weights == channels,
          "weight has shape " + ShapeText(weight->shape) +
              ", must have one element or one for each index of self's second dimension");
}

// The weight of each element of self.
aclTensor WeightView(aclTensor weight, const Shape &self) {
  Shape strides(self.size(), 0);
  if (ElementCount(weight.shape) != 1) strides[1] = weight.strides[0];
  weight.shape = self;
  weight.strides = strides;
  return weight;
}

float Prelu(float x, float weight) { return x > 0.0F ? x : weight * x; }

}  // namespace

aclnnStatus aclnnPreluGetWorkspaceSize(const aclTensor *self, const aclTensor *weight,
                                       aclTensor *out, uint64_t *workspaceSize,
                                       aclOpExecutor **executor) {
  const TensorArguments tensors = {{self, weight}, {out}};
  return PlanOperator("aclnnPrelu", tensors, workspaceSize, executor, [&] {
    CheckPrelu({"self", self}, {"weight", weight}, {"out", out});
    return Work{0, [self = *self, weight = *weight, out = *out](void *) {
                  Map(out, Prelu, self, WeightView(weight, self.shape));
                }};
  });
}

aclnnStatus aclnnPrelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                       aclrtStream stream) {
  return LaunchOperator("aclnnPrelu", workspace, workspaceSize, executor, stream);
}

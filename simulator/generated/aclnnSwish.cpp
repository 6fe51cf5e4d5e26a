// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSwish.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_swish.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0>
Number Swish(Number self, T0 betaOptional) {
  return self / (Number(1.0) + std::exp(-(Number(betaOptional) * self)));
}

void CheckSwish(const TensorParameter &self, const ScalarParameter &betaOptional,
                const TensorParameter &out) {
  RequireNotNull({self, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({betaOptional},
                    {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT8,
                     ACL_UINT8, ACL_INT16, ACL_UINT16, ACL_UINT32, ACL_UINT64, ACL_BOOL});
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
}

}  // namespace

aclnnStatus aclnnSwishGetWorkspaceSize(const aclTensor *self, const aclScalar *betaOptional,
                                       aclTensor *out, uint64_t *workspaceSize,
                                       aclOpExecutor **executor) {
  return PlanOperator("aclnnSwish", workspaceSize, executor, [&] {
    CheckSwish({"self", self}, {"betaOptional", betaOptional}, {"out", out});
    return Work{0, [self = *self, out = *out,
                    betaOptional = betaOptional == nullptr
                                       ? 1.0F
                                       : static_cast<float>(ToDouble(*betaOptional))](void *) {
                  const auto kernel = [betaOptional](float selfElement) {
                    return Swish(selfElement, betaOptional);
                  };
                  Map(out, kernel, self);
                }};
  });
}

aclnnStatus aclnnSwish(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                       aclrtStream stream) {
  return LaunchOperator("aclnnSwish", workspace, workspaceSize, executor, stream);
}

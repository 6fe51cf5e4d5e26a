// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftplus.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_softplus.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0, typename T1>
Number Softplus(Number self, T0 beta, T1 threshold) {
  return Number(beta) * self > Number(threshold)
             ? self
             : std::log(Number(1.0) + std::exp(Number(beta) * self)) / Number(beta);
}

void CheckSoftplus(const TensorParameter &self, const ScalarParameter &beta,
                   const ScalarParameter &threshold, const TensorParameter &out) {
  RequireNotNull({self, out}, {}, {beta, threshold});
  RequireProduct(
      {Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self, out}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self, out}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({beta, threshold}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32,
                                        ACL_INT64, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_BOOL});
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
}

}  // namespace

aclnnStatus aclnnSoftplusGetWorkspaceSize(const aclTensor *self, const aclScalar *beta,
                                          const aclScalar *threshold, aclTensor *out,
                                          uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnSoftplus", workspaceSize, executor, [&] {
    CheckSoftplus({"self", self}, {"beta", beta}, {"threshold", threshold}, {"out", out});
    return Work{0, [self = *self, out = *out, beta = static_cast<float>(ToDouble(*beta)),
                    threshold = static_cast<float>(ToDouble(*threshold))](void *) {
                  const auto kernel = [beta, threshold](float selfElement) {
                    return Softplus(selfElement, beta, threshold);
                  };
                  Map(out, kernel, self);
                }};
  });
}

aclnnStatus aclnnSoftplus(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                          aclrtStream stream) {
  return LaunchOperator("aclnnSoftplus", workspace, workspaceSize, executor, stream);
}

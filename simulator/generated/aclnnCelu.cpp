// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_celu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0>
Number Celu(Number self, T0 alpha) {
  return self >= Number(0.0) ? self
                             : Number(alpha) * (std::exp(self / Number(alpha)) - Number(1.0));
}

void CheckCelu(const TensorParameter &self, const ScalarParameter &alpha,
               const TensorParameter &out) {
  RequireNotNull({self, out}, {}, {alpha});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self, out}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({alpha},
                    {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT8,
                     ACL_UINT8, ACL_INT16, ACL_UINT16, ACL_UINT32, ACL_UINT64, ACL_BOOL});
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
  Require(ToDouble(*alpha.scalar) != 0, "alpha is not 0");
}

}  // namespace

aclnnStatus aclnnCeluGetWorkspaceSize(const aclTensor *self, const aclScalar *alpha, aclTensor *out,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnCelu", workspaceSize, executor, [&] {
    CheckCelu({"self", self}, {"alpha", alpha}, {"out", out});
    return Work{
        0, [self = *self, out = *out, alpha = static_cast<float>(ToDouble(*alpha))](void *) {
          const auto kernel = [alpha](float selfElement) { return Celu(selfElement, alpha); };
          Map(out, kernel, self);
        }};
  });
}

aclnnStatus aclnnCelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                      aclrtStream stream) {
  return LaunchOperator("aclnnCelu", workspace, workspaceSize, executor, stream);
}

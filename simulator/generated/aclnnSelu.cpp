// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>
#include <type_traits>

#include "aclnnop/aclnn_selu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number Selu(Number self) {
  using Real = std::conditional_t<std::is_integral_v<Number>, double, Number>;
  const Real below = Real(1.6732632423543772) * (std::exp(Real(self)) - Real(1.0));
  return static_cast<Number>(Real(1.0507009873554805) *
                             (Real(self) >= Real(0.0) ? Real(self) : below));
}

void CheckSelu(const TensorParameter &self, const TensorParameter &out) {
  RequireNotNull({self, out});
  RequireProduct({Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8}, Product::kAtlasTraining);
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 1, 8);
  RequireSameShape({out}, self);
}

}  // namespace

aclnnStatus aclnnSeluGetWorkspaceSize(const aclTensor *self, aclTensor *out,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnSelu", workspaceSize, executor, [&] {
    CheckSelu({"self", self}, {"out", out});
    return Work{0, [self = *self, out = *out](void *) {
                  const auto kernel = [](auto selfElement) { return Selu(selfElement); };
                  MapInOwnType(out, kernel, self);
                }};
  });
}

aclnnStatus aclnnSelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                      aclrtStream stream) {
  return LaunchOperator("aclnnSelu", workspace, workspaceSize, executor, stream);
}

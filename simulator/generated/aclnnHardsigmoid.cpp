// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardsigmoid.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>
#include <type_traits>

#include "aclnnop/aclnn_hardsigmoid.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number Hardsigmoid(Number self) {
  using Real = std::conditional_t<std::is_integral_v<Number>, double, Number>;
  return static_cast<Number>(
      ((Real(self) / Real(6.0) + Real(0.5)) > Real(0.0) ||
               std::isnan((Real(self) / Real(6.0) + Real(0.5)))
           ? (Real(self) / Real(6.0) + Real(0.5))
           : Real(0.0)) < Real(1.0) ||
              std::isnan(((Real(self) / Real(6.0) + Real(0.5)) > Real(0.0) ||
                                  std::isnan((Real(self) / Real(6.0) + Real(0.5)))
                              ? (Real(self) / Real(6.0) + Real(0.5))
                              : Real(0.0)))
          ? ((Real(self) / Real(6.0) + Real(0.5)) > Real(0.0) ||
                     std::isnan((Real(self) / Real(6.0) + Real(0.5)))
                 ? (Real(self) / Real(6.0) + Real(0.5))
                 : Real(0.0))
          : Real(1.0));
}

void CheckHardsigmoid(const TensorParameter &self, const TensorParameter &out) {
  RequireNotNull({self, out});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32}, Product::kAtlasTraining);
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
}

}  // namespace

aclnnStatus aclnnHardsigmoidGetWorkspaceSize(const aclTensor *self, aclTensor *out,
                                             uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnHardsigmoid", workspaceSize, executor, [&] {
    CheckHardsigmoid({"self", self}, {"out", out});
    return Work{0, [self = *self, out = *out](void *) {
                  const auto kernel = [](auto selfElement) { return Hardsigmoid(selfElement); };
                  MapInOwnType(out, kernel, self);
                }};
  });
}

aclnnStatus aclnnHardsigmoid(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                             aclrtStream stream) {
  return LaunchOperator("aclnnHardsigmoid", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceHardsigmoid.yaml by `aclnn-cts generate`:
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
Number InplaceHardsigmoid(Number self) {
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

void CheckInplaceHardsigmoid(const TensorParameter &self) {
  RequireNotNull({self});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32}, Product::kAtlasTraining);
  RequirePublicFormat({self});
  RequireRank({self}, 0, 8);
}

}  // namespace

aclnnStatus aclnnInplaceHardsigmoidGetWorkspaceSize(const aclTensor *self, uint64_t *workspaceSize,
                                                    aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceHardsigmoid", workspaceSize, executor, [&] {
    CheckInplaceHardsigmoid({"self", self});
    return Work{0, [self = *self](void *) {
                  const auto kernel = [](auto selfElement) {
                    return InplaceHardsigmoid(selfElement);
                  };
                  MapInOwnType(self, kernel, self);
                }};
  });
}

aclnnStatus aclnnInplaceHardsigmoid(void *workspace, uint64_t workspaceSize,
                                    aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnInplaceHardsigmoid", workspace, workspaceSize, executor, stream);
}

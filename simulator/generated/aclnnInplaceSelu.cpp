// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceSelu.yaml by `aclnn-cts generate`:
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
Number InplaceSelu(Number self) {
  using Real = std::conditional_t<std::is_integral_v<Number>, double, Number>;
  const Real below = Real(1.6732632423543772) * (std::exp(Real(self)) - Real(1.0));
  return static_cast<Number>(Real(1.0507009873554805) *
                             (Real(self) >= Real(0.0) ? Real(self) : below));
}

void CheckInplaceSelu(const TensorParameter &selfRef) {
  RequireNotNull({selfRef});
  RequireProduct({Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8, ACL_BF16});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8},
                  Product::kAtlasTraining);
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 1, 8);
}

}  // namespace

aclnnStatus aclnnInplaceSeluGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize,
                                             aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceSelu", workspaceSize, executor, [&] {
    CheckInplaceSelu({"selfRef", selfRef});
    return Work{0, [selfRef = *selfRef](void *) {
                  const auto kernel = [](auto selfRefElement) {
                    return InplaceSelu(selfRefElement);
                  };
                  MapInOwnType(selfRef, kernel, selfRef);
                }};
  });
}

aclnnStatus aclnnInplaceSelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                             aclrtStream stream) {
  return LaunchOperator("aclnnInplaceSelu", workspace, workspaceSize, executor, stream);
}

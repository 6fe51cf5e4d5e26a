// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceCelu.yaml by `aclnn-cts generate`:
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
Number InplaceCelu(Number self, T0 alpha) {
  return self >= Number(0.0) ? self
                             : Number(alpha) * (std::exp(self / Number(alpha)) - Number(1.0));
}

void CheckInplaceCelu(const TensorParameter &selfRef, const ScalarParameter &alpha) {
  RequireNotNull({selfRef}, {}, {alpha});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({alpha},
                    {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT8,
                     ACL_UINT8, ACL_INT16, ACL_UINT16, ACL_UINT32, ACL_UINT64, ACL_BOOL});
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 0, 8);
  Require(ToDouble(*alpha.scalar) != 0, "alpha is not 0");
}

}  // namespace

aclnnStatus aclnnInplaceCeluGetWorkspaceSize(aclTensor *selfRef, const aclScalar *alpha,
                                             uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceCelu", workspaceSize, executor, [&] {
    CheckInplaceCelu({"selfRef", selfRef}, {"alpha", alpha});
    return Work{0, [selfRef = *selfRef, alpha = static_cast<float>(ToDouble(*alpha))](void *) {
                  const auto kernel = [alpha](float selfRefElement) {
                    return InplaceCelu(selfRefElement, alpha);
                  };
                  Map(selfRef, kernel, selfRef);
                }};
  });
}

aclnnStatus aclnnInplaceCelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                             aclrtStream stream) {
  return LaunchOperator("aclnnInplaceCelu", workspace, workspaceSize, executor, stream);
}

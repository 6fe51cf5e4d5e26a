// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceElu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_elu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0, typename T1, typename T2>
Number InplaceElu(Number self, T0 alpha, T1 scale, T2 inputScale) {
  return self > Number(0.0)
             ? Number(scale) * self
             : Number(alpha) * Number(scale) * (std::exp(self * Number(inputScale)) - Number(1.0));
}

void CheckInplaceElu(const TensorParameter &selfRef, const ScalarParameter &alpha,
                     const ScalarParameter &scale, const ScalarParameter &inputScale) {
  RequireNotNull({selfRef}, {}, {alpha, scale, inputScale});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({alpha, scale, inputScale},
                    {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT8,
                     ACL_UINT8, ACL_INT16, ACL_UINT16, ACL_UINT32, ACL_UINT64, ACL_BOOL});
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 0, 8);
}

}  // namespace

aclnnStatus aclnnInplaceEluGetWorkspaceSize(aclTensor *selfRef, const aclScalar *alpha,
                                            const aclScalar *scale, const aclScalar *inputScale,
                                            uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceElu", workspaceSize, executor, [&] {
    CheckInplaceElu({"selfRef", selfRef}, {"alpha", alpha}, {"scale", scale},
                    {"inputScale", inputScale});
    return Work{0, [selfRef = *selfRef, alpha = static_cast<float>(ToDouble(*alpha)),
                    scale = static_cast<float>(ToDouble(*scale)),
                    inputScale = static_cast<float>(ToDouble(*inputScale))](void *) {
                  const auto kernel = [alpha, scale, inputScale](float selfRefElement) {
                    return InplaceElu(selfRefElement, alpha, scale, inputScale);
                  };
                  Map(selfRef, kernel, selfRef);
                }};
  });
}

aclnnStatus aclnnInplaceElu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                            aclrtStream stream) {
  return LaunchOperator("aclnnInplaceElu", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeluV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_gelu_v2.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0>
Number GeluV2(Number x, T0 approximate) {
  const Number u = Number(0.7978845608028654) * (x + Number(0.044715) * (x * x * x));
  return Number(approximate) == Number(1.0)
             ? x / (Number(1.0) + std::exp(-(u + u)))
             : x * ((Number(1.0) + std::erf(x / Number(1.4142135623730951))) / Number(2.0));
}

void CheckGeluV2(const TensorParameter &x, int64_t approximate, const TensorParameter &y) {
  RequireNotNull({x, y});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({y}, x);
  RequirePublicFormat({x, y});
  RequireRank({x, y}, 0, 8);
  RequireSameShape({y}, x);
  Require((approximate == 0) || (approximate == 1), "approximate is 0 or 1");
}

}  // namespace

aclnnStatus aclnnGeluV2GetWorkspaceSize(const aclTensor *x, int64_t approximate, aclTensor *y,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnGeluV2", workspaceSize, executor, [&] {
    CheckGeluV2({"x", x}, approximate, {"y", y});
    return Work{0, [x = *x, y = *y, approximate = approximate](void *) {
                  const auto kernel = [approximate](float xElement) {
                    return GeluV2(xElement, approximate);
                  };
                  Map(y, kernel, x);
                }};
  });
}

aclnnStatus aclnnGeluV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                        aclrtStream stream) {
  return LaunchOperator("aclnnGeluV2", workspace, workspaceSize, executor, stream);
}

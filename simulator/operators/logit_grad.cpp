// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "aclnnop/aclnn_logit_grad.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

void CheckLogitGrad(const TensorParameter &x, const TensorParameter &dy,
                    const TensorParameter &out) {
  RequireNotNull({x, dy, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({x, dy, out}, {ACL_BF16, ACL_FLOAT16, ACL_FLOAT});
  RequireSameDataType({dy, out}, x);
  RequirePublicFormat({x, dy, out});
  RequireSameFormat({dy, out}, x);
  RequireRank({x, dy, out}, 0, 8);
  RequireSameShape({dy, out}, x);
}

// dx of one element. Where the sentences about eps contradict the formula, the formula holds: eps
// above 1 gives 0, and so does an infinite x with eps >= 0.
float LogitGradient(float x, float dy, float eps) {
  if (std::isnan(eps)) return std::numeric_limits<float>::quiet_NaN();
  if (eps < 0.0F) {
    if (x < 0.0F || x > 1.0F) return std::numeric_limits<float>::quiet_NaN();
  } else if (x < eps || x > 1.0F - eps) {
    return 0.0F;
  }
  return dy / (x * (1.0F - x));
}

}  // namespace

aclnnStatus aclnnLogitGradGetWorkspaceSize(const aclTensor *x, const aclTensor *dy, double eps,
                                           const aclTensor *out, uint64_t *workspaceSize,
                                           aclOpExecutor **executor) {
  const TensorArguments tensors = {{x, dy}, {out}};
  return PlanOperator("aclnnLogitGrad", tensors, workspaceSize, executor, [&] {
    CheckLogitGrad({"x", x}, {"dy", dy}, {"out", out});
    return Work{0, [x = *x, dy = *dy, out = *out, eps = static_cast<float>(eps)](void *) {
                  const auto gradient = [eps](float xValue, float dyValue) {
                    return LogitGradient(xValue, dyValue, eps);
                  };
                  Map(out, gradient, x, dy);
                }};
  });
}

aclnnStatus aclnnLogitGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream) {
  return LaunchOperator("aclnnLogitGrad", workspace, workspaceSize, executor, stream);
}

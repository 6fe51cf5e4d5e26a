// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogit.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_logit.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0>
Number Logit(Number input, T0 eps) {
  const Number bound = std::abs(Number(eps));
  const Number z = Number(eps) < Number(0.0)     ? input
                   : input < bound               ? bound
                   : Number(1.0) - input < bound ? Number(1.0) - bound
                                                 : input;
  const Number complement =
      Number(eps) >= Number(0.0) && input >= bound && Number(1.0) - input < bound ? bound
                                                                                  : Number(1.0) - z;
  return std::log(z / complement);
}

void CheckLogit(const TensorParameter &input, const TensorParameter &out) {
  RequireNotNull({input, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireSameDataType({out}, input);
  RequirePublicFormat({input, out});
  RequireRank({input, out}, 0, 8);
  RequireSameShape({out}, input);
}

}  // namespace

aclnnStatus aclnnLogitGetWorkspaceSize(const aclTensor *input, double eps, const aclTensor *out,
                                       uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnLogit", workspaceSize, executor, [&] {
    CheckLogit({"input", input}, {"out", out});
    return Work{0, [input = *input, out = *out, eps = static_cast<float>(eps)](void *) {
                  const auto kernel = [eps](float inputElement) {
                    return Logit(inputElement, eps);
                  };
                  Map(out, kernel, input);
                }};
  });
}

aclnnStatus aclnnLogit(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                       aclrtStream stream) {
  return LaunchOperator("aclnnLogit", workspace, workspaceSize, executor, stream);
}

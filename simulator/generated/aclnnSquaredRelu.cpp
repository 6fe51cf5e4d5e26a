// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSquaredRelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_squared_relu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number SquaredRelu(Number input) {
  const Number relu = input <= Number(0.0) ? Number(0.0) : input;
  return relu * relu;
}

void CheckSquaredRelu(const TensorParameter &input, const TensorParameter &out) {
  RequireNotNull({input, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireSameDataType({out}, input);
  RequirePublicFormat({input, out});
  RequireRank({input, out}, 1, 8);
  RequireSameShape({out}, input);
}

}  // namespace

aclnnStatus aclnnSquaredReluGetWorkspaceSize(const aclTensor *input, const aclTensor *out,
                                             uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnSquaredRelu", workspaceSize, executor, [&] {
    CheckSquaredRelu({"input", input}, {"out", out});
    return Work{0, [input = *input, out = *out](void *) {
                  const auto kernel = [](float inputElement) { return SquaredRelu(inputElement); };
                  Map(out, kernel, input);
                }};
  });
}

aclnnStatus aclnnSquaredRelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                             aclrtStream stream) {
  return LaunchOperator("aclnnSquaredRelu", workspace, workspaceSize, executor, stream);
}

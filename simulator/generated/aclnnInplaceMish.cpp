// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceMish.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_mish.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number InplaceMish(Number self) {
  return self * std::tanh(std::log(Number(1.0) + std::exp(self)));
}

void CheckInplaceMish(const TensorParameter &selfRef) {
  RequireNotNull({selfRef});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_FLOAT16, ACL_FLOAT, ACL_BF16});
  RequireDataType({selfRef}, {ACL_FLOAT16, ACL_FLOAT}, Product::kAtlasTraining);
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 0, 8);
}

}  // namespace

aclnnStatus aclnnInplaceMishGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize,
                                             aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceMish", workspaceSize, executor, [&] {
    CheckInplaceMish({"selfRef", selfRef});
    return Work{0, [selfRef = *selfRef](void *) {
                  const auto kernel = [](float selfRefElement) {
                    return InplaceMish(selfRefElement);
                  };
                  Map(selfRef, kernel, selfRef);
                }};
  });
}

aclnnStatus aclnnInplaceMish(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                             aclrtStream stream) {
  return LaunchOperator("aclnnInplaceMish", workspace, workspaceSize, executor, stream);
}

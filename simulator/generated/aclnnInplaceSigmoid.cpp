// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceSigmoid.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_sigmoid.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number InplaceSigmoid(Number self) {
  return Number(1.0) / (Number(1.0) + std::exp(-self));
}

void CheckInplaceSigmoid(const TensorParameter &selfRef) {
  RequireNotNull({selfRef});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 1, 8);
}

}  // namespace

aclnnStatus aclnnInplaceSigmoidGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize,
                                                aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceSigmoid", workspaceSize, executor, [&] {
    CheckInplaceSigmoid({"selfRef", selfRef});
    return Work{0, [selfRef = *selfRef](void *) {
                  const auto kernel = [](float selfRefElement) {
                    return InplaceSigmoid(selfRefElement);
                  };
                  Map(selfRef, kernel, selfRef);
                }};
  });
}

aclnnStatus aclnnInplaceSigmoid(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream) {
  return LaunchOperator("aclnnInplaceSigmoid", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceErfc.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_erfc.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number InplaceErfc(Number self) {
  return Number(1.0) - std::erf(self);
}

void CheckInplaceErfc(const TensorParameter &selfRef) {
  RequireNotNull({selfRef});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasA2);
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasInference);
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasTraining);
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 0, 8);
}

}  // namespace

aclnnStatus aclnnInplaceErfcGetWorkspaceSize(const aclTensor *selfRef, uint64_t *workspaceSize,
                                             aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceErfc", workspaceSize, executor, [&] {
    CheckInplaceErfc({"selfRef", selfRef});
    return Work{0, [selfRef = *selfRef](void *) {
                  const auto kernel = [](auto selfRefElement) {
                    return InplaceErfc(selfRefElement);
                  };
                  MapInOwnType(selfRef, kernel, selfRef);
                }};
  });
}

aclnnStatus aclnnInplaceErfc(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                             aclrtStream stream) {
  return LaunchOperator("aclnnInplaceErfc", workspace, workspaceSize, executor, stream);
}

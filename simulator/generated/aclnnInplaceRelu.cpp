// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_relu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number InplaceRelu(Number self) {
  return self > Number(0.0) ? self : Number(0.0);
}

void CheckInplaceRelu(const TensorParameter &selfRef) {
  RequireNotNull({selfRef});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({selfRef},
                  {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT32, ACL_INT64, ACL_UINT8});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_INT32, ACL_INT64, ACL_UINT8},
                  Product::kAtlasTraining);
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 0, 8);
}

}  // namespace

aclnnStatus aclnnInplaceReluGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize,
                                             aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceRelu", workspaceSize, executor, [&] {
    CheckInplaceRelu({"selfRef", selfRef});
    return Work{0, [selfRef = *selfRef](void *) {
                  const auto kernel = [](auto selfRefElement) {
                    return InplaceRelu(selfRefElement);
                  };
                  MapInOwnType(selfRef, kernel, selfRef);
                }};
  });
}

aclnnStatus aclnnInplaceRelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                             aclrtStream stream) {
  return LaunchOperator("aclnnInplaceRelu", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceHardswish.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_hardswish.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number InplaceHardswish(Number self) {
  return self <= Number(-3.0)  ? Number(0.0)
         : self >= Number(3.0) ? self
                               : self * (self + Number(3.0)) / Number(6.0);
}

void CheckInplaceHardswish(const TensorParameter &self) {
  RequireNotNull({self});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_BF16, ACL_FLOAT16, ACL_FLOAT});
  RequireDataType({self}, {ACL_FLOAT16, ACL_FLOAT}, Product::kAtlasTraining);
  RequirePublicFormat({self});
  RequireRank({self}, 0, 8);
}

}  // namespace

aclnnStatus aclnnInplaceHardswishGetWorkspaceSize(const aclTensor *self, uint64_t *workspaceSize,
                                                  aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceHardswish", workspaceSize, executor, [&] {
    CheckInplaceHardswish({"self", self});
    return Work{0, [self = *self](void *) {
                  const auto kernel = [](float selfElement) {
                    return InplaceHardswish(selfElement);
                  };
                  Map(self, kernel, self);
                }};
  });
}

aclnnStatus aclnnInplaceHardswish(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                  aclrtStream stream) {
  return LaunchOperator("aclnnInplaceHardswish", workspace, workspaceSize, executor, stream);
}

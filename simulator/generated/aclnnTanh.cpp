// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnTanh.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_tanh.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number Tanh(Number self) {
  return std::tanh(self);
}

void CheckTanh(const TensorParameter &self, const TensorParameter &out) {
  RequireNotNull({self, out});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_BOOL, ACL_UINT8, ACL_INT8,
                           ACL_INT16, ACL_INT32, ACL_INT64});
  RequireDataType({out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType(
      {self},
      {ACL_FLOAT, ACL_FLOAT16, ACL_BOOL, ACL_UINT8, ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64},
      Product::kAtlasTraining);
  RequireDataType({out}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
}

}  // namespace

aclnnStatus aclnnTanhGetWorkspaceSize(const aclTensor *self, aclTensor *out,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnTanh", workspaceSize, executor, [&] {
    CheckTanh({"self", self}, {"out", out});
    return Work{0, [self = *self, out = *out](void *) {
                  const auto kernel = [](float selfElement) { return Tanh(selfElement); };
                  Map(out, kernel, self);
                }};
  });
}

aclnnStatus aclnnTanh(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                      aclrtStream stream) {
  return LaunchOperator("aclnnTanh", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddRelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_add_relu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAddRelu(const TensorParameter &self, const TensorParameter &other,
                  const ScalarParameter &alpha, const TensorParameter &out) {
  RequireNotNull({self, other, out}, {}, {alpha});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self, other, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_UINT8,
                                       ACL_INT16, ACL_INT32, ACL_INT64});
  RequireDataType({self, other, out},
                  {ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT32, ACL_INT64},
                  Product::kAtlasTraining);
  RequireScalarType({alpha}, {self->dataType});
  RequireConversion(out, {self, other}, {alpha});
  RequirePublicFormat({self, other, out});
  RequireRank({self, other, out}, 0, 8);
  RequireBroadcast({self, other}, out);
}

}  // namespace

aclnnStatus aclnnAddReluGetWorkspaceSize(const aclTensor *self, const aclTensor *other,
                                         const aclScalar *alpha, aclTensor *out,
                                         uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnAddRelu", workspaceSize, executor, [&] {
    CheckAddRelu({"self", self}, {"other", other}, {"alpha", alpha}, {"out", out});
    return Work{
        0, [self = *self, other = *other, out = *out](void *) { StandIn({out}, {self, other}); }};
  });
}

aclnnStatus aclnnAddRelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                         aclrtStream stream) {
  return LaunchOperator("aclnnAddRelu", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceAddRelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_add_relu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckInplaceAddRelu(const TensorParameter &selfRef, const TensorParameter &other,
                         const ScalarParameter &alpha) {
  RequireNotNull({selfRef, other}, {}, {alpha});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({selfRef, other}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_UINT8,
                                     ACL_INT16, ACL_INT32, ACL_INT64});
  RequireDataType({selfRef, other},
                  {ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT32, ACL_INT64},
                  Product::kAtlasTraining);
  RequireScalarType({alpha}, {selfRef->dataType});
  RequireConversion(selfRef, {selfRef, other}, {alpha});
  RequirePublicFormat({selfRef, other});
  RequireRank({selfRef, other}, 0, 8);
  RequireBroadcastTo(other, selfRef);
}

}  // namespace

aclnnStatus aclnnInplaceAddReluGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other,
                                                const aclScalar *alpha, uint64_t *workspaceSize,
                                                aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceAddRelu", workspaceSize, executor, [&] {
    CheckInplaceAddRelu({"selfRef", selfRef}, {"other", other}, {"alpha", alpha});
    return Work{
        0, [selfRef = *selfRef, other = *other](void *) { StandIn({selfRef}, {selfRef, other}); }};
  });
}

aclnnStatus aclnnInplaceAddRelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream) {
  return LaunchOperator("aclnnInplaceAddRelu", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnEmbeddingRenorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_embedding_renorm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckEmbeddingRenorm(const TensorParameter &selfRef, const TensorParameter &indices) {
  RequireNotNull({selfRef, indices});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({indices}, {ACL_INT64, ACL_INT32});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequirePublicFormat({selfRef, indices});
  RequireRank({selfRef}, 2, 2);
  RequireRank({indices}, 0, 8);
}

}  // namespace

aclnnStatus aclnnEmbeddingRenormGetWorkspaceSize(aclTensor *selfRef, const aclTensor *indices,
                                                 double maxNorm, double normType,
                                                 uint64_t *workspaceSize,
                                                 aclOpExecutor **executor) {
  static_cast<void>(maxNorm);
  static_cast<void>(normType);
  return PlanOperator("aclnnEmbeddingRenorm", workspaceSize, executor, [&] {
    CheckEmbeddingRenorm({"selfRef", selfRef}, {"indices", indices});
    return Work{0, [selfRef = *selfRef, indices = *indices](void *) {
                  StandIn({selfRef}, {selfRef, indices});
                }};
  });
}

aclnnStatus aclnnEmbeddingRenorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                 aclrtStream stream) {
  return LaunchOperator("aclnnEmbeddingRenorm", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceErfinv.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_erfinv.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckInplaceErfinv(const TensorParameter &selfRef) {
  RequireNotNull({selfRef});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 0, 8);
}

}  // namespace

aclnnStatus aclnnInplaceErfinvGetWorkspaceSize(const aclTensor *selfRef, uint64_t *workspaceSize,
                                               aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceErfinv", workspaceSize, executor, [&] {
    CheckInplaceErfinv({"selfRef", selfRef});
    return Work{0, [selfRef = *selfRef](void *) { StandIn({selfRef}, {selfRef}); }};
  });
}

aclnnStatus aclnnInplaceErfinv(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                               aclrtStream stream) {
  return LaunchOperator("aclnnInplaceErfinv", workspace, workspaceSize, executor, stream);
}

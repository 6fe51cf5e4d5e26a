// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRandomWithoutFromTo.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_random.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckInplaceRandomWithoutFromTo(const TensorParameter &selfRef, int64_t offset) {
  RequireNotNull({selfRef});
  RequireProduct({Product::kAscend950});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT64, ACL_INT16,
                              ACL_INT8, ACL_UINT8, ACL_BOOL});
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 0, 8);
  Require((offset % 4) == 0, "offset is a multiple of 4");
}

}  // namespace

aclnnStatus aclnnInplaceRandomWithoutFromToGetWorkspaceSize(const aclTensor *selfRef, int64_t seed,
                                                            int64_t offset, uint64_t *workspaceSize,
                                                            aclOpExecutor **executor) {
  static_cast<void>(seed);
  return PlanOperator("aclnnInplaceRandomWithoutFromTo", workspaceSize, executor, [&] {
    CheckInplaceRandomWithoutFromTo({"selfRef", selfRef}, offset);
    return Work{0, [selfRef = *selfRef](void *) { StandIn({selfRef}, {selfRef}); }};
  });
}

aclnnStatus aclnnInplaceRandomWithoutFromTo(void *workspace, uint64_t workspaceSize,
                                            aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnInplaceRandomWithoutFromTo", workspace, workspaceSize, executor,
                        stream);
}

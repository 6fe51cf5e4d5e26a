// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnClippedSwigluV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_clipped_swiglu_v2.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckClippedSwigluV2(const TensorParameter &x, const TensorParameter &groupIndexOptional,
                          int64_t dim, double limit, int64_t clampMode,
                          const TensorParameter &out) {
  RequireNotNull({x, out});
  RequireProduct({Product::kAscend950});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({groupIndexOptional}, {ACL_INT64});
  RequireSameDataType({out}, x);
  RequirePublicFormat({x, groupIndexOptional, out});
  RequireRank({x, out}, 1, 8);
  RequireRank({groupIndexOptional}, 1, 1);
  RequireNotEmpty({groupIndexOptional});
  RequireContiguous({x, groupIndexOptional, out});
  Require(-(x->Rank()) <= dim && dim < x->Rank(), "dim names an axis of x");
  Require((Extent(x, dim) % 2) == 0, "the extent of x along the axis dim is even");
  Require(limit > 0, "limit is above 0");
  Require((clampMode == 0) || (clampMode == 1), "clampMode is 0 or 1");
  RequireShape(out, Resized(x->shape, dim, (Extent(x, dim) / 2)));
  RequireShape(groupIndexOptional, {3});
}

}  // namespace

aclnnStatus aclnnClippedSwigluV2GetWorkspaceSize(const aclTensor *x,
                                                 const aclTensor *groupIndexOptional, int64_t dim,
                                                 double alpha, double limit, double bias,
                                                 bool interleaved, int64_t clampMode,
                                                 const aclTensor *out, uint64_t *workspaceSize,
                                                 aclOpExecutor **executor) {
  static_cast<void>(alpha);
  static_cast<void>(bias);
  static_cast<void>(interleaved);
  return PlanOperator("aclnnClippedSwigluV2", workspaceSize, executor, [&] {
    CheckClippedSwigluV2({"x", x}, {"groupIndexOptional", groupIndexOptional}, dim, limit,
                         clampMode, {"out", out});
    const aclTensor groupIndexOptionalAbsent = Filled({0}, 0.0F);
    if (groupIndexOptional == nullptr) groupIndexOptional = &groupIndexOptionalAbsent;
    return Work{0, [x = *x, groupIndexOptional = *groupIndexOptional, out = *out](void *) {
                  StandIn({out}, {x, groupIndexOptional});
                }};
  });
}

aclnnStatus aclnnClippedSwigluV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                 aclrtStream stream) {
  return LaunchOperator("aclnnClippedSwigluV2", workspace, workspaceSize, executor, stream);
}

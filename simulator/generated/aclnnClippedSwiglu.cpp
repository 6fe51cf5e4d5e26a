// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnClippedSwiglu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_clipped_swiglu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckClippedSwiglu(const TensorParameter &x, const TensorParameter &groupIndexOptional,
                        int64_t dim, double limit, const TensorParameter &out) {
  RequireNotNull({x, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
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
  RequireShape(out, Resized(x->shape, dim, (Extent(x, dim) / 2)));
  RequireShape(groupIndexOptional, {3});
}

}  // namespace

aclnnStatus aclnnClippedSwigluGetWorkspaceSize(const aclTensor *x,
                                               const aclTensor *groupIndexOptional, int64_t dim,
                                               double alpha, double limit, double bias,
                                               bool interleaved, const aclTensor *out,
                                               uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(alpha);
  static_cast<void>(bias);
  static_cast<void>(interleaved);
  return PlanOperator("aclnnClippedSwiglu", workspaceSize, executor, [&] {
    CheckClippedSwiglu({"x", x}, {"groupIndexOptional", groupIndexOptional}, dim, limit,
                       {"out", out});
    const aclTensor groupIndexOptionalAbsent = Filled({0}, 0.0F);
    if (groupIndexOptional == nullptr) groupIndexOptional = &groupIndexOptionalAbsent;
    return Work{0, [x = *x, groupIndexOptional = *groupIndexOptional, out = *out](void *) {
                  StandIn({out}, {x, groupIndexOptional});
                }};
  });
}

aclnnStatus aclnnClippedSwiglu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                               aclrtStream stream) {
  return LaunchOperator("aclnnClippedSwiglu", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnClippedSwigluGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_clipped_swiglu_grad.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckClippedSwigluGrad(const TensorParameter &gradY, const TensorParameter &x,
                            const TensorParameter &groupIndexOptional, int64_t dim, double limit,
                            const TensorParameter &gradXOut) {
  RequireNotNull({gradY, x, gradXOut});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({groupIndexOptional}, {ACL_INT64});
  RequireSameDataType({gradY, gradXOut}, x);
  RequirePublicFormat({gradY, x, groupIndexOptional, gradXOut});
  RequireRank({gradY, x, gradXOut}, 1, 8);
  RequireRank({groupIndexOptional}, 1, 1);
  RejectWith(561002, [&] { RequireSameShape({gradXOut}, x); });
  RequireNotEmpty({gradY, x, groupIndexOptional, gradXOut});
  RequireContiguous({gradY, x, groupIndexOptional, gradXOut});
  RejectWith(561002, [&] {
    Require(-(x->Rank()) <= dim && dim < x->Rank(), "dim names an axis of x");
    Require((Extent(x, dim) % 2) == 0, "the extent of x along the axis dim is even");
    Require(limit > 0, "limit is above 0");
    RequireShape(gradY, Resized(x->shape, dim, (Extent(x, dim) / 2)));
    RequireShape(groupIndexOptional, {3});
  });
}

}  // namespace

aclnnStatus aclnnClippedSwigluGradGetWorkspaceSize(const aclTensor *gradY, const aclTensor *x,
                                                   const aclTensor *groupIndexOptional, int64_t dim,
                                                   double alpha, double limit, double bias,
                                                   bool interleaved, const aclTensor *gradXOut,
                                                   uint64_t *workspaceSize,
                                                   aclOpExecutor **executor) {
  static_cast<void>(alpha);
  static_cast<void>(bias);
  static_cast<void>(interleaved);
  return PlanOperator("aclnnClippedSwigluGrad", workspaceSize, executor, [&] {
    CheckClippedSwigluGrad({"gradY", gradY}, {"x", x}, {"groupIndexOptional", groupIndexOptional},
                           dim, limit, {"gradXOut", gradXOut});
    const aclTensor groupIndexOptionalAbsent = Filled({0}, 0.0F);
    if (groupIndexOptional == nullptr) groupIndexOptional = &groupIndexOptionalAbsent;
    return Work{
        0, [gradY = *gradY, x = *x, groupIndexOptional = *groupIndexOptional,
            gradXOut = *gradXOut](void *) { StandIn({gradXOut}, {gradY, x, groupIndexOptional}); }};
  });
}

aclnnStatus aclnnClippedSwigluGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnClippedSwigluGrad", workspace, workspaceSize, executor, stream);
}

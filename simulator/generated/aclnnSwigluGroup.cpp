// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSwigluGroup.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_swiglu_group.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckSwigluGroup(const TensorParameter &x, const TensorParameter &weightOptional,
                      const TensorParameter &groupIndexOptional, double clampLimit,
                      const TensorParameter &out) {
  RequireNotNull({x, out});
  RequireProduct({Product::kAscend950});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RejectWith(561002, [&] {
    RequireDataType({weightOptional}, {ACL_FLOAT});
    RequireDataType({groupIndexOptional}, {ACL_INT64});
  });
  RequireSameDataType({out}, x);
  RequirePublicFormat({x, weightOptional, groupIndexOptional, out});
  RejectWith(561002, [&] {
    RequireRank({x, weightOptional, out}, 1, 8);
    RequireRank({groupIndexOptional}, 1, 1);
    RequireNotEmpty({groupIndexOptional, x});
  });
  RequireContiguous({x, weightOptional, groupIndexOptional, out});
  RejectWith(561002, [&] {
    Require((Extent(x, -(1)) % 2) == 0, "the last extent of x is even");
    Require((clampLimit == -(1)) || (clampLimit > 0), "clampLimit is -1 or above 0");
    RequireShape(weightOptional, Resized(x->shape, -(1), 1));
    RequireShape(out, Resized(x->shape, -(1), (Extent(x, -(1)) / 2)));
    RequireShape(groupIndexOptional, {3});
  });
}

}  // namespace

aclnnStatus aclnnSwigluGroupGetWorkspaceSize(const aclTensor *x, const aclTensor *weightOptional,
                                             const aclTensor *groupIndexOptional, double clampLimit,
                                             const aclTensor *out, uint64_t *workspaceSize,
                                             aclOpExecutor **executor) {
  return PlanOperator("aclnnSwigluGroup", workspaceSize, executor, [&] {
    CheckSwigluGroup({"x", x}, {"weightOptional", weightOptional},
                     {"groupIndexOptional", groupIndexOptional}, clampLimit, {"out", out});
    const aclTensor weightOptionalAbsent = Filled({0}, 1.0F);
    if (weightOptional == nullptr) weightOptional = &weightOptionalAbsent;
    const aclTensor groupIndexOptionalAbsent = Filled({0}, 0.0F);
    if (groupIndexOptional == nullptr) groupIndexOptional = &groupIndexOptionalAbsent;
    return Work{0,
                [x = *x, weightOptional = *weightOptional, groupIndexOptional = *groupIndexOptional,
                 out = *out](void *) { StandIn({out}, {x, weightOptional, groupIndexOptional}); }};
  });
}

aclnnStatus aclnnSwigluGroup(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                             aclrtStream stream) {
  return LaunchOperator("aclnnSwigluGroup", workspace, workspaceSize, executor, stream);
}

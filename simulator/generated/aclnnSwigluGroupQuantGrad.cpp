// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSwigluGroupQuantGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_swiglu_group_quant_grad.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckSwigluGroupQuantGrad(const TensorParameter &gradY, const TensorParameter &x,
                               const TensorParameter &weightOptional,
                               const TensorParameter &yOriginOptional,
                               const TensorParameter &groupIndexOptional, double clampLimit,
                               const TensorParameter &gradXOut,
                               const TensorParameter &gradWeightOutOptional) {
  RequireNotNull({gradY, x, gradXOut});
  RequireProduct({Product::kAscend950});
  RequireDataType({gradY}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({weightOptional, gradWeightOutOptional}, {ACL_FLOAT});
  RequireDataType({groupIndexOptional}, {ACL_INT64});
  RequireSameDataType({x, yOriginOptional, gradXOut}, gradY);
  RequirePublicFormat({gradY, x, weightOptional, yOriginOptional, groupIndexOptional, gradXOut,
                       gradWeightOutOptional});
  RequireRank({gradY, x, yOriginOptional, gradXOut}, 2, 8);
  RequireRank({weightOptional, gradWeightOutOptional}, 1, 8);
  RequireRank({groupIndexOptional}, 1, 1);
  RejectWith(561002, [&] {
    RequireSameShape({yOriginOptional}, gradY);
    RequireSameShape({gradXOut}, x);
    RequireSameShape({gradWeightOutOptional}, weightOptional);
  });
  RequireContiguous({gradY, x, weightOptional, yOriginOptional, groupIndexOptional, gradXOut,
                     gradWeightOutOptional});
  RejectWith(561002, [&] {
    Require((Extent(gradY, -1) == 512) || (Extent(gradY, -1) == 768) ||
                (Extent(gradY, -1) == 1024) || (Extent(gradY, -1) == 1536) ||
                (Extent(gradY, -1) == 1792) || (Extent(gradY, -1) == 2048) ||
                (Extent(gradY, -1) == 2560) || (Extent(gradY, -1) == 4096),
            "H is one of the eight sizes that the page lists");
    Require((clampLimit == -(1)) || (clampLimit > 0), "clampLimit is -1 or above 0");
    Require((yOriginOptional.tensor != nullptr) || (!(weightOptional.tensor != nullptr)),
            "yOriginOptional is given beside weightOptional");
    Require((gradWeightOutOptional.tensor != nullptr) == (weightOptional.tensor != nullptr),
            "gradWeightOutOptional is given where weightOptional is");
    RequireShape(
        x, Joined(Shape(gradY->shape.begin(), gradY->shape.end() - 1), {(2 * Extent(gradY, -1))}));
    RequireShape(weightOptional, Shape(gradY->shape.begin(), gradY->shape.end() - 1));
    RequireShape(groupIndexOptional, {3});
  });
}

}  // namespace

aclnnStatus aclnnSwigluGroupQuantGradGetWorkspaceSize(
    const aclTensor *gradY, const aclTensor *x, const aclTensor *weightOptional,
    const aclTensor *yOriginOptional, const aclTensor *groupIndexOptional, double clampLimit,
    const aclTensor *gradXOut, const aclTensor *gradWeightOutOptional, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  return PlanOperator("aclnnSwigluGroupQuantGrad", workspaceSize, executor, [&] {
    CheckSwigluGroupQuantGrad(
        {"gradY", gradY}, {"x", x}, {"weightOptional", weightOptional},
        {"yOriginOptional", yOriginOptional}, {"groupIndexOptional", groupIndexOptional},
        clampLimit, {"gradXOut", gradXOut}, {"gradWeightOutOptional", gradWeightOutOptional});
    const aclTensor weightOptionalAbsent = Filled({0}, 1.0F);
    if (weightOptional == nullptr) weightOptional = &weightOptionalAbsent;
    const aclTensor yOriginOptionalAbsent = Filled({0}, 0.0F);
    if (yOriginOptional == nullptr) yOriginOptional = &yOriginOptionalAbsent;
    const aclTensor groupIndexOptionalAbsent = Filled({0}, 0.0F);
    if (groupIndexOptional == nullptr) groupIndexOptional = &groupIndexOptionalAbsent;
    aclTensor gradWeightOutOptionalAbsent = Unwanted({0});
    if (gradWeightOutOptional == nullptr) gradWeightOutOptional = &gradWeightOutOptionalAbsent;
    return Work{0, [gradY = *gradY, x = *x, weightOptional = *weightOptional,
                    yOriginOptional = *yOriginOptional, groupIndexOptional = *groupIndexOptional,
                    gradXOut = *gradXOut, gradWeightOutOptional = *gradWeightOutOptional](void *) {
                  StandIn({gradXOut, gradWeightOutOptional},
                          {gradY, x, weightOptional, yOriginOptional, groupIndexOptional});
                }};
  });
}

aclnnStatus aclnnSwigluGroupQuantGrad(void *workspace, uint64_t workspaceSize,
                                      aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnSwigluGroupQuantGrad", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFatreluMul.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_fatrelu_mul.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckFatreluMul(const TensorParameter &input, const TensorParameter &threshold,
                     const TensorParameter &out) {
  RequireNotNull({input, threshold, out});
  RequireProduct({Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireSameDataType({threshold, out}, input);
  RequirePublicFormat({input, threshold, out});
  RequireRank({input, out}, 2, 8);
  RequireRank({threshold}, 0, 8);
  Require((Extent(input, -(1)) % 2) == 0, "the last extent of input is even");
  Require(Extent(input, -(1)) <= 1024, "the last extent of input is at most 1024");
  Require(ElementCount(input->shape) <= (200000 * Extent(input, -(1))),
          "the product of the other extents of input is at most 200000");
  RequireShape(out, Resized(input->shape, -(1), (Extent(input, -(1)) / 2)));
  RequireOneShape(threshold, ((true) && threshold->shape == Shape{1}));
}

}  // namespace

aclnnStatus aclnnFatreluMulGetWorkspaceSize(const aclTensor *input, const aclTensor *threshold,
                                            const aclTensor *out, uint64_t *workspaceSize,
                                            aclOpExecutor **executor) {
  return PlanOperator("aclnnFatreluMul", workspaceSize, executor, [&] {
    CheckFatreluMul({"input", input}, {"threshold", threshold}, {"out", out});
    return Work{0, [input = *input, threshold = *threshold, out = *out](void *) {
                  StandIn({out}, {input, threshold});
                }};
  });
}

aclnnStatus aclnnFatreluMul(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                            aclrtStream stream) {
  return LaunchOperator("aclnnFatreluMul", workspace, workspaceSize, executor, stream);
}

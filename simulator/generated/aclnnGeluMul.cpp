// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeluMul.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_gelu_mul.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckGeluMul(const TensorParameter &input, const TensorParameter &out) {
  RequireNotNull({input, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireSameDataType({out}, input);
  RequirePublicFormat({input, out});
  RequireRank({input, out}, 2, 8);
  Require((Extent(input, -(1)) % 2) == 0, "the last extent of input is even");
  Require(Extent(input, -(1)) <= 1024, "the last extent of input is at most 1024");
  Require(ElementCount(input->shape) <= (200000 * Extent(input, -(1))),
          "the product of the other extents of input is at most 200000");
  RequireShape(out, Resized(input->shape, -(1), (Extent(input, -(1)) / 2)));
}

}  // namespace

aclnnStatus aclnnGeluMulGetWorkspaceSize(const aclTensor *input, char *approximateOptional,
                                         const aclTensor *out, uint64_t *workspaceSize,
                                         aclOpExecutor **executor) {
  static_cast<void>(approximateOptional);
  return PlanOperator("aclnnGeluMul", workspaceSize, executor, [&] {
    CheckGeluMul({"input", input}, {"out", out});
    return Work{0, [input = *input, out = *out](void *) { StandIn({out}, {input}); }};
  });
}

aclnnStatus aclnnGeluMul(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                         aclrtStream stream) {
  return LaunchOperator("aclnnGeluMul", workspace, workspaceSize, executor, stream);
}

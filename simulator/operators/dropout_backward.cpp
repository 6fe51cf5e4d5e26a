// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <vector>

#include "aclnnop/aclnn_dropout_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/dropout_mask.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

void CheckDropoutBackward(const TensorParameter &gradOutput, const TensorParameter &mask,
                          double scale, const TensorParameter &out) {
  RequireNotNull({gradOutput, mask, out});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({gradOutput, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({mask}, {ACL_UINT8});
  RequirePublicFormat({gradOutput, mask, out});
  Require(scale == 0.0 || scale >= 1.0, "scale must be 0 or at least 1");
  RequireRank({gradOutput, mask, out}, 1, 8);
  RequireSameShape({out}, gradOutput);
  RequireNotEmpty({gradOutput, mask, out});
  RequireElementCount(mask, MaskBytes(ElementCount(gradOutput->shape)));
}

void DropoutBackward(const aclTensor &gradOutput, const aclTensor &mask, float scale,
                     const aclTensor &out) {
  const std::vector<uint8_t> bits = ReadBytes(mask);
  int64_t element = 0;
  Map(
      out,
      [&](float gradient) {
        const bool kept = scale == 1.0F || (scale != 0.0F && IsKept(bits, element));
        ++element;
        return kept ? gradient * scale : 0.0F;
      },
      gradOutput);
}

}  // namespace

aclnnStatus aclnnDropoutBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *mask,
                                                 double scale, aclTensor *out,
                                                 uint64_t *workspaceSize,
                                                 aclOpExecutor **executor) {
  const TensorArguments tensors = {{gradOutput, mask}, {out}};
  return PlanOperator("aclnnDropoutBackward", tensors, workspaceSize, executor, [&] {
    CheckDropoutBackward({"gradOutput", gradOutput}, {"mask", mask}, scale, {"out", out});
    return Work{0, [gradOutput = *gradOutput, mask = *mask, scale = static_cast<float>(scale),
                    out = *out](void *) { DropoutBackward(gradOutput, mask, scale, out); }};
  });
}

aclnnStatus aclnnDropoutBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                 aclrtStream stream) {
  return LaunchOperator("aclnnDropoutBackward", workspace, workspaceSize, executor, stream);
}

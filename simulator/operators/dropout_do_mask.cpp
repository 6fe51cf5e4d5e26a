// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <vector>

#include "aclnnop/aclnn_dropout_do_mask.h"
#include "nnopbase/checks.h"
#include "nnopbase/dropout_mask.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

void CheckDropoutDoMask(const TensorParameter &self, const TensorParameter &mask, double prob,
                        const TensorParameter &out) {
  RequireNotNull({self, mask, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({mask}, {ACL_UINT8});
  RequirePublicFormat({self, mask, out});
  Require(prob >= 0.0 && prob <= 1.0, "prob lies between 0 and 1");
  RequireRank({self, mask, out}, 0, 8);
  RequireSameShape({out}, self);
  RequireElementCount(mask, MaskBytes(ElementCount(self->shape)));
}

void DropoutDoMask(const aclTensor &self, const aclTensor &mask, double prob,
                   const aclTensor &out) {
  const std::vector<uint8_t> bits = ReadBytes(mask);
  const auto scale = static_cast<float>(1.0 / (1.0 - prob));
  int64_t element = 0;
  Map(
      out,
      [&](float x) {
        const bool kept = prob == 0.0 || (prob != 1.0 && IsKept(bits, element));
        ++element;
        return kept ? x * scale : 0.0F;
      },
      self);
}

}  // namespace

aclnnStatus aclnnDropoutDoMaskGetWorkspaceSize(const aclTensor *self, const aclTensor *mask,
                                               double prob, aclTensor *out, uint64_t *workspaceSize,
                                               aclOpExecutor **executor) {
  const TensorArguments tensors = {{self, mask}, {out}};
  return PlanOperator("aclnnDropoutDoMask", tensors, workspaceSize, executor, [&] {
    CheckDropoutDoMask({"self", self}, {"mask", mask}, prob, {"out", out});
    return Work{0, [self = *self, mask = *mask, prob, out = *out](void *) {
                  DropoutDoMask(self, mask, prob, out);
                }};
  });
}

aclnnStatus aclnnDropoutDoMask(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                               aclrtStream stream) {
  return LaunchOperator("aclnnDropoutDoMask", workspace, workspaceSize, executor, stream);
}

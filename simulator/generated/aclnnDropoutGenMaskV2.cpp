// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDropoutGenMaskV2.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/dropout_gen_mask_v2.h, not this file.
#include "aclnnop/aclnn_dropout_gen_mask.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/dropout_gen_mask_v2.h"

using namespace simulator;

namespace {

void CheckDropoutGenMaskV2(const IntArrayParameter &shape, double prob, aclDataType probDataType,
                           const TensorParameter &out) {
  RequireNotNull({out}, {shape});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({out}, {ACL_UINT8});
  RequirePublicFormat({out});
  RequireRank({out}, 1, 1);
  Require(ElementCount(Numbers(shape)) > 0, "shape has elements");
  Require((prob >= 0) && (prob <= 1), "prob lies between 0 and 1");
  Require((!IsInteger(probDataType)) && (Digits(probDataType) <= 24),
          "probDataType is float32, float16 or bfloat16");
  if (IsOn({Product::kAtlasTraining}))
    Require(Digits(probDataType) != 8, "on this product probDataType is not bfloat16");
  RequireShape(out, {(CeilDivide(ElementCount(Numbers(shape)), 128) * 16)});
}

}  // namespace

aclnnStatus aclnnDropoutGenMaskV2GetWorkspaceSize(const aclIntArray *shape, double prob,
                                                  int64_t seed, int64_t offset,
                                                  aclDataType probDataType, aclTensor *out,
                                                  uint64_t *workspaceSize,
                                                  aclOpExecutor **executor) {
  return PlanOperator("aclnnDropoutGenMaskV2", workspaceSize, executor, [&] {
    CheckDropoutGenMaskV2({"shape", shape}, prob, probDataType, {"out", out});
    return Work{0, [out = *out, shape = Numbers(shape), prob = prob, seed = seed, offset = offset,
                    probDataType = probDataType](void *) {
                  DropoutGenMaskV2(out, shape, prob, seed, offset, probDataType);
                }};
  });
}

aclnnStatus aclnnDropoutGenMaskV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                  aclrtStream stream) {
  return LaunchOperator("aclnnDropoutGenMaskV2", workspace, workspaceSize, executor, stream);
}

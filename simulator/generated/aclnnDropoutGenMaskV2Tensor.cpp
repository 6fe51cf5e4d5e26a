// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDropoutGenMaskV2Tensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_dropout_gen_mask.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckDropoutGenMaskV2Tensor(const IntArrayParameter &shape, double prob,
                                 const TensorParameter &seedTensor,
                                 const TensorParameter &offsetTensor, aclDataType probDataType,
                                 const TensorParameter &out) {
  RequireNotNull({seedTensor, offsetTensor, out}, {shape});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({seedTensor, offsetTensor}, {ACL_INT64});
  RequireDataType({out}, {ACL_UINT8});
  RequirePublicFormat({seedTensor, offsetTensor, out});
  RequireRank({seedTensor, offsetTensor, out}, 1, 1);
  Require(ElementCount(Numbers(shape)) > 0, "shape has elements");
  Require((prob >= 0) && (prob <= 1), "prob lies between 0 and 1");
  Require((!IsInteger(probDataType)) && (Digits(probDataType) <= 24),
          "probDataType is float32, float16 or bfloat16");
  RequireShape(seedTensor, {1});
  RequireShape(offsetTensor, {1});
  RequireShape(out, {(CeilDivide(ElementCount(Numbers(shape)), 128) * 16)});
}

}  // namespace

aclnnStatus aclnnDropoutGenMaskV2TensorGetWorkspaceSize(const aclIntArray *shape, double prob,
                                                        const aclTensor *seedTensor,
                                                        const aclTensor *offsetTensor,
                                                        int64_t offset, aclDataType probDataType,
                                                        aclTensor *out, uint64_t *workspaceSize,
                                                        aclOpExecutor **executor) {
  static_cast<void>(offset);
  return PlanOperator("aclnnDropoutGenMaskV2Tensor", workspaceSize, executor, [&] {
    CheckDropoutGenMaskV2Tensor({"shape", shape}, prob, {"seedTensor", seedTensor},
                                {"offsetTensor", offsetTensor}, probDataType, {"out", out});
    return Work{0, [seedTensor = *seedTensor, offsetTensor = *offsetTensor, out = *out](void *) {
                  StandIn({out}, {seedTensor, offsetTensor});
                }};
  });
}

aclnnStatus aclnnDropoutGenMaskV2Tensor(void *workspace, uint64_t workspaceSize,
                                        aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnDropoutGenMaskV2Tensor", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDropoutV3.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_dropout_v3.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckDropoutV3(const TensorParameter &input, const TensorParameter &optionalNoiseShape,
                    double p, int64_t offset, const TensorParameter &out,
                    const TensorParameter &maskOut) {
  RequireNotNull({input, out, maskOut});
  RequireProduct({Product::kAscend950});
  RequireDataType({input, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({optionalNoiseShape}, {ACL_INT64});
  RequireDataType({maskOut}, {ACL_UINT8});
  RequirePublicFormat({input, optionalNoiseShape, out, maskOut});
  RequireRank({input, out}, 0, 8);
  RequireRank({optionalNoiseShape}, 0, 0);
  RequireRank({maskOut}, 1, 1);
  RequireSameShape({out}, input);
  Require(0 <= p && p <= 1, "p lies between 0 and 1");
  Require((offset % 4) == 0, "offset is a multiple of 4");
  Require(!(optionalNoiseShape.tensor != nullptr), "optionalNoiseShape is a null pointer");
  RequireShape(optionalNoiseShape, {});
  RequireShape(maskOut, {(CeilDivide(ElementCount(input->shape), 128) * 16)});
}

}  // namespace

aclnnStatus aclnnDropoutV3GetWorkspaceSize(const aclTensor *input,
                                           const aclTensor *optionalNoiseShape, double p,
                                           int64_t seed, int64_t offset, aclTensor *out,
                                           aclTensor *maskOut, uint64_t *workspaceSize,
                                           aclOpExecutor **executor) {
  static_cast<void>(seed);
  return PlanOperator("aclnnDropoutV3", workspaceSize, executor, [&] {
    CheckDropoutV3({"input", input}, {"optionalNoiseShape", optionalNoiseShape}, p, offset,
                   {"out", out}, {"maskOut", maskOut});
    const aclTensor optionalNoiseShapeAbsent = Filled({0}, 0.0F);
    if (optionalNoiseShape == nullptr) optionalNoiseShape = &optionalNoiseShapeAbsent;
    return Work{
        0, [input = *input, optionalNoiseShape = *optionalNoiseShape, out = *out,
            maskOut = *maskOut](void *) { StandIn({out, maskOut}, {input, optionalNoiseShape}); }};
  });
}

aclnnStatus aclnnDropoutV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream) {
  return LaunchOperator("aclnnDropoutV3", workspace, workspaceSize, executor, stream);
}

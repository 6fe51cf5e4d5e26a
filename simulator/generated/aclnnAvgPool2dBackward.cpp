// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAvgPool2dBackward.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/avg_pool2d_backward.h, not this file.
#include "aclnnop/aclnn_avgpool2d_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/avg_pool2d_backward.h"

using namespace simulator;

namespace {

void CheckAvgPool2dBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                            const IntArrayParameter &kernelSize, const IntArrayParameter &stride,
                            const IntArrayParameter &padding, bool ceilMode,
                            int64_t divisorOverride, int8_t cubeMathType,
                            const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, self, gradInput}, {kernelSize, stride, padding});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({gradOutput, gradInput}, self);
  RequireFormat({gradOutput, self, gradInput}, {ACL_FORMAT_NCHW, ACL_FORMAT_NCL});
  RequireSameFormat({gradInput}, gradOutput);
  RequireRank({gradOutput, self, gradInput}, 3, 4);
  RequireSameShape({gradInput}, self);
  RequireNotEmpty({gradOutput, self});
  const auto kH = [&] { return Number(Numbers(kernelSize), 0); };
  const auto kW = [&] { return Number(Numbers(kernelSize), (Length(Numbers(kernelSize)) - 1)); };
  const auto sH = [&] {
    return (Length(Numbers(stride)) == 0 ? kH() : Number(Numbers(stride), 0));
  };
  const auto sW = [&] {
    return (Length(Numbers(stride)) == 0 ? kW()
                                         : Number(Numbers(stride), (Length(Numbers(stride)) - 1)));
  };
  const auto pH = [&] { return Number(Numbers(padding), 0); };
  const auto pW = [&] { return Number(Numbers(padding), (Length(Numbers(padding)) - 1)); };
  const auto windowsH = [&] {
    return (FloorDivide((((Extent(self, -2) + (2 * pH())) - kH()) + (ceilMode ? (sH() - 1) : 0)),
                        sH()) +
            1);
  };
  const auto windowsW = [&] {
    return (FloorDivide((((Extent(self, -1) + (2 * pW())) - kW()) + (ceilMode ? (sW() - 1) : 0)),
                        sW()) +
            1);
  };
  const auto Ho = [&] {
    return ((ceilMode) && (((windowsH() - 1) * sH()) >= (Extent(self, -2) + pH()))
                ? (windowsH() - 1)
                : windowsH());
  };
  const auto Wo = [&] {
    return ((ceilMode) && (((windowsW() - 1) * sW()) >= (Extent(self, -1) + pW()))
                ? (windowsW() - 1)
                : windowsW());
  };
  Require(1 <= Length(Numbers(kernelSize)) && Length(Numbers(kernelSize)) <= 2,
          "kernelSize holds one or two numbers");
  Require((kH() > 0) && (kW() > 0), "the numbers of kernelSize are above 0");
  Require(Length(Numbers(stride)) <= 2,
          "stride holds no, one or two numbers; without any it equals kernelSize");
  Require((sH() > 0) && (sW() > 0), "the numbers of stride are above 0");
  Require(1 <= Length(Numbers(padding)) && Length(Numbers(padding)) <= 2,
          "padding holds one or two numbers");
  Require((pH() >= 0) && (pW() >= 0), "the numbers of padding are not below 0");
  Require((pH() <= (kH() / 2)) && (pW() <= (kW() / 2)),
          "the numbers of padding are at most half those of kernelSize");
  Require((Ho() > 0) && (Wo() > 0), "at least one window fits along each axis");
  if (IsOn({Product::kAtlasTraining, Product::kAtlasInference}))
    Require(-(255) <= divisorOverride && divisorOverride <= 255,
            "on these products divisorOverride is from -255 to 255");
  Require(0 <= cubeMathType && cubeMathType <= 3, "cubeMathType is 0, 1, 2 or 3");
  if (IsOn({Product::kAtlasTraining, Product::kAtlasInference}))
    Require(cubeMathType != 3, "on these products cubeMathType is not 3");
  if (IsOn({Product::kAtlasTraining, Product::kAtlasInference}))
    Require((Digits(self->dataType) != 24) || (cubeMathType != 0),
            "on these products cubeMathType is not 0 with float32");
  if (IsOn({Product::kAtlasA2, Product::kAtlasA3}))
    Require((Digits(self->dataType) != 8) || (cubeMathType != 2),
            "on these products cubeMathType is not 2 with bfloat16");
  if (IsOn({Product::kAtlasA2, Product::kAtlasA3}))
    Require((Digits(self->dataType) == 24) || (cubeMathType != 3),
            "on these products cubeMathType is 3 with float32 alone");
  RequireShape(gradOutput, Joined(Shape(self->shape.begin(), self->shape.end() - 2), {Ho(), Wo()}));
}

}  // namespace

aclnnStatus aclnnAvgPool2dBackwardGetWorkspaceSize(
    const aclTensor *gradOutput, const aclTensor *self, const aclIntArray *kernelSize,
    const aclIntArray *stride, const aclIntArray *padding, bool ceilMode, bool countIncludePad,
    int64_t divisorOverride, int8_t cubeMathType, aclTensor *gradInput, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  return PlanOperator("aclnnAvgPool2dBackward", workspaceSize, executor, [&] {
    CheckAvgPool2dBackward({"gradOutput", gradOutput}, {"self", self}, {"kernelSize", kernelSize},
                           {"stride", stride}, {"padding", padding}, ceilMode, divisorOverride,
                           cubeMathType, {"gradInput", gradInput});
    return Work{
        0, [gradOutput = *gradOutput, self = *self, gradInput = *gradInput,
            kernelSize = Numbers(kernelSize), stride = Numbers(stride), padding = Numbers(padding),
            ceilMode = ceilMode, countIncludePad = countIncludePad,
            divisorOverride = divisorOverride, cubeMathType = cubeMathType](void *) {
          AvgPool2dBackward(gradOutput, self, gradInput, kernelSize, stride, padding, ceilMode,
                            countIncludePad, divisorOverride, cubeMathType);
        }};
  });
}

aclnnStatus aclnnAvgPool2dBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnAvgPool2dBackward", workspace, workspaceSize, executor, stream);
}

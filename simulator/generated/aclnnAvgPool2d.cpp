// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAvgPool2d.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/avg_pool2d.h, not this file.
#include "aclnnop/aclnn_avgpool2d.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/avg_pool2d.h"

using namespace simulator;

namespace {

void CheckAvgPool2d(const TensorParameter &self, const IntArrayParameter &kernelSize,
                    const IntArrayParameter &strides, const IntArrayParameter &paddings,
                    bool ceilMode, int8_t cubeMathType, const TensorParameter &out) {
  RequireNotNull({self, out}, {kernelSize, strides, paddings});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({out}, self);
  RequireFormat({self, out}, {ACL_FORMAT_NCHW, ACL_FORMAT_NCL});
  RequireSameFormat({out}, self);
  RequireRank({self, out}, 3, 4);
  RequireNotEmpty({self});
  const auto kH = [&] { return Number(Numbers(kernelSize), 0); };
  const auto kW = [&] { return Number(Numbers(kernelSize), (Length(Numbers(kernelSize)) - 1)); };
  const auto sH = [&] {
    return (Length(Numbers(strides)) == 0 ? kH() : Number(Numbers(strides), 0));
  };
  const auto sW = [&] {
    return (Length(Numbers(strides)) == 0
                ? kW()
                : Number(Numbers(strides), (Length(Numbers(strides)) - 1)));
  };
  const auto pH = [&] { return Number(Numbers(paddings), 0); };
  const auto pW = [&] { return Number(Numbers(paddings), (Length(Numbers(paddings)) - 1)); };
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
  Require(Length(Numbers(strides)) <= 2,
          "strides holds no, one or two numbers; without any it equals kernelSize");
  Require((sH() > 0) && (sW() > 0), "the numbers of strides are above 0");
  Require(1 <= Length(Numbers(paddings)) && Length(Numbers(paddings)) <= 2,
          "paddings holds one or two numbers");
  Require((pH() >= 0) && (pW() >= 0), "the numbers of paddings are not below 0");
  Require((pH() <= (kH() / 2)) && (pW() <= (kW() / 2)),
          "the numbers of paddings are at most half those of kernelSize");
  Require((Ho() > 0) && (Wo() > 0), "at least one window fits along each axis");
  Require(0 <= cubeMathType && cubeMathType <= 2, "cubeMathType is 0, 1 or 2; 3 is not supported");
  if (IsOn({Product::kAtlasTraining, Product::kAtlasInference}))
    Require((Digits(self->dataType) != 24) || (cubeMathType != 0),
            "on these products cubeMathType is not 0 with float32");
  if (IsOn({Product::kAtlasA2, Product::kAtlasA3}))
    Require((Digits(self->dataType) != 24) || (cubeMathType != 1),
            "on these products cubeMathType is not 1 with float32");
  if (IsOn({Product::kAtlasA2, Product::kAtlasA3}))
    Require((Digits(self->dataType) != 8) || (cubeMathType != 2),
            "on these products cubeMathType is not 2 with bfloat16");
  RequireShape(out, Joined(Shape(self->shape.begin(), self->shape.end() - 2), {Ho(), Wo()}));
}

}  // namespace

aclnnStatus aclnnAvgPool2dGetWorkspaceSize(const aclTensor *self, const aclIntArray *kernelSize,
                                           const aclIntArray *strides, const aclIntArray *paddings,
                                           bool ceilMode, bool countIncludePad,
                                           int64_t divisorOverride, int8_t cubeMathType,
                                           aclTensor *out, uint64_t *workspaceSize,
                                           aclOpExecutor **executor) {
  return PlanOperator("aclnnAvgPool2d", workspaceSize, executor, [&] {
    CheckAvgPool2d({"self", self}, {"kernelSize", kernelSize}, {"strides", strides},
                   {"paddings", paddings}, ceilMode, cubeMathType, {"out", out});
    return Work{
        0, [self = *self, out = *out, kernelSize = Numbers(kernelSize), strides = Numbers(strides),
            paddings = Numbers(paddings), ceilMode = ceilMode, countIncludePad = countIncludePad,
            divisorOverride = divisorOverride, cubeMathType = cubeMathType](void *) {
          AvgPool2d(self, out, kernelSize, strides, paddings, ceilMode, countIncludePad,
                    divisorOverride, cubeMathType);
        }};
  });
}

aclnnStatus aclnnAvgPool2d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream) {
  return LaunchOperator("aclnnAvgPool2d", workspace, workspaceSize, executor, stream);
}

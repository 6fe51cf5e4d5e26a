// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaxPool2dWithIndicesBackward.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/max_pool2d_with_indices_backward.h, not this file.
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/max_pool2d_with_indices_backward.h"

using namespace simulator;

namespace {

void CheckMaxPool2dWithIndicesBackward(const TensorParameter &gradOutput,
                                       const TensorParameter &self, const TensorParameter &indices,
                                       const IntArrayParameter &kernelSize,
                                       const IntArrayParameter &stride,
                                       const IntArrayParameter &padding,
                                       const IntArrayParameter &dilation, bool ceilMode,
                                       const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, self, indices, gradInput}, {kernelSize, stride, padding, dilation});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({indices}, {ACL_INT32, ACL_INT64});
  RequireDataType({self}, {ACL_FLOAT}, Product::kAtlasA3);
  RequireDataType({indices}, {ACL_INT32}, Product::kAtlasA3);
  RequireDataType({self}, {ACL_FLOAT}, Product::kAtlasA2);
  RequireDataType({indices}, {ACL_INT32}, Product::kAtlasA2);
  RequireSameDataType({gradOutput, gradInput}, self);
  RequireFormat({gradOutput, self, indices, gradInput},
                {ACL_FORMAT_NCHW, ACL_FORMAT_ND, ACL_FORMAT_NHWC});
  RequireSameFormat({gradOutput, indices, gradInput}, gradOutput);
  RequireRank({gradOutput, self, indices, gradInput}, 3, 4);
  RequireSameShape({indices}, gradOutput);
  RequireSameShape({gradInput}, self);
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
  const auto dH = [&] { return Number(Numbers(dilation), 0); };
  const auto dW = [&] { return Number(Numbers(dilation), (Length(Numbers(dilation)) - 1)); };
  const auto windowsH = [&] {
    return (FloorDivide(((((Extent(self, -2) + (2 * pH())) - (dH() * (kH() - 1))) - 1) +
                         (ceilMode ? (sH() - 1) : 0)),
                        sH()) +
            1);
  };
  const auto windowsW = [&] {
    return (FloorDivide(((((Extent(self, -1) + (2 * pW())) - (dW() * (kW() - 1))) - 1) +
                         (ceilMode ? (sW() - 1) : 0)),
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
  Require((ElementCount(Shape(self->shape.begin(), self->shape.end() - 2)) > 0) &&
              (Extent(self, -2) > 0) && (Extent(self, -1) > 0),
          "self has elements");
  Require(1 <= Length(Numbers(kernelSize)) && Length(Numbers(kernelSize)) <= 2,
          "kernelSize holds one or two numbers");
  Require((kH() > 0) && (kW() > 0), "the numbers of kernelSize are above 0");
  Require(Length(Numbers(stride)) <= 2,
          "stride holds no, one or two numbers; without any it equals kernelSize");
  Require((sH() > 0) && (sW() > 0), "the numbers of stride are above 0");
  Require(1 <= Length(Numbers(padding)) && Length(Numbers(padding)) <= 2,
          "padding holds one or two numbers");
  Require((pH() >= 0) && (pW() >= 0) && (pH() <= (kH() / 2)) && (pW() <= (kW() / 2)),
          "the numbers of padding are at least 0 and, for the forward operator, at most half the "
          "kernel");
  Require(1 <= Length(Numbers(dilation)) && Length(Numbers(dilation)) <= 2,
          "dilation holds one or two numbers");
  Require((dH() > 0) && (dW() > 0), "the numbers of dilation are above 0");
  if (IsOn({Product::kAtlasA2, Product::kAtlasA3}))
    Require((dH() == 1) && (dW() == 1), "on these products the numbers of dilation are 1");
  Require((Ho() > 0) && (Wo() > 0), "at least one window fits along each axis");
  RequireShape(gradOutput, Joined(Shape(self->shape.begin(), self->shape.end() - 2), {Ho(), Wo()}));
}

}  // namespace

aclnnStatus aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize(
    const aclTensor *gradOutput, const aclTensor *self, const aclTensor *indices,
    const aclIntArray *kernelSize, const aclIntArray *stride, const aclIntArray *padding,
    const aclIntArray *dilation, bool ceilMode, aclTensor *gradInput, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  return PlanOperator("aclnnMaxPool2dWithIndicesBackward", workspaceSize, executor, [&] {
    CheckMaxPool2dWithIndicesBackward({"gradOutput", gradOutput}, {"self", self},
                                      {"indices", indices}, {"kernelSize", kernelSize},
                                      {"stride", stride}, {"padding", padding},
                                      {"dilation", dilation}, ceilMode, {"gradInput", gradInput});
    return Work{
        0, [gradOutput = *gradOutput, self = *self, indices = *indices, gradInput = *gradInput,
            kernelSize = Numbers(kernelSize), stride = Numbers(stride), padding = Numbers(padding),
            dilation = Numbers(dilation), ceilMode = ceilMode](void *) {
          MaxPool2dWithIndicesBackward(gradOutput, self, indices, gradInput, kernelSize, stride,
                                       padding, dilation, ceilMode);
        }};
  });
}

aclnnStatus aclnnMaxPool2dWithIndicesBackward(void *workspace, uint64_t workspaceSize,
                                              aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnMaxPool2dWithIndicesBackward", workspace, workspaceSize, executor,
                        stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaxPool2dWithIndices.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/max_pool2d_with_indices.h, not this file.
#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/max_pool2d_with_indices.h"

using namespace simulator;

namespace {

void CheckMaxPool2dWithIndices(const TensorParameter &self, const IntArrayParameter &kernelSize,
                               const IntArrayParameter &stride, const IntArrayParameter &padding,
                               const IntArrayParameter &dilation, bool ceilMode,
                               const TensorParameter &out, const TensorParameter &indices) {
  RequireNotNull({self, out, indices}, {kernelSize, stride, padding, dilation});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({indices}, {ACL_INT32, ACL_INT64});
  RequireSameDataType({out}, self);
  RequireFormat({self, out, indices}, {ACL_FORMAT_NCHW, ACL_FORMAT_ND, ACL_FORMAT_NHWC});
  RequireSameFormat({out}, self);
  RequireRank({self, out, indices}, 3, 4);
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
          "the numbers of padding are from 0 to half those of kernelSize");
  Require(1 <= Length(Numbers(dilation)) && Length(Numbers(dilation)) <= 2,
          "dilation holds one or two numbers");
  Require((dH() > 0) && (dW() > 0), "the numbers of dilation are above 0");
  if (IsOn({Product::kAtlasA2, Product::kAtlasA3}))
    Require((dH() == 1) && (dW() == 1), "on these products the numbers of dilation are 1");
  Require((Ho() > 0) && (Wo() > 0), "at least one window fits along each axis");
  RequireShape(out, Joined(Shape(self->shape.begin(), self->shape.end() - 2), {Ho(), Wo()}));
  RequireShape(indices, Joined(Shape(self->shape.begin(), self->shape.end() - 2), {Ho(), Wo()}));
}

}  // namespace

aclnnStatus aclnnMaxPool2dWithIndicesGetWorkspaceSize(
    const aclTensor *self, const aclIntArray *kernelSize, const aclIntArray *stride,
    const aclIntArray *padding, const aclIntArray *dilation, bool ceilMode, aclTensor *out,
    aclTensor *indices, uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnMaxPool2dWithIndices", workspaceSize, executor, [&] {
    CheckMaxPool2dWithIndices({"self", self}, {"kernelSize", kernelSize}, {"stride", stride},
                              {"padding", padding}, {"dilation", dilation}, ceilMode, {"out", out},
                              {"indices", indices});
    return Work{0, [self = *self, out = *out, indices = *indices, kernelSize = Numbers(kernelSize),
                    stride = Numbers(stride), padding = Numbers(padding),
                    dilation = Numbers(dilation), ceilMode = ceilMode](void *) {
                  MaxPool2dWithIndices(self, out, indices, kernelSize, stride, padding, dilation,
                                       ceilMode);
                }};
  });
}

aclnnStatus aclnnMaxPool2dWithIndices(void *workspace, uint64_t workspaceSize,
                                      aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnMaxPool2dWithIndices", workspace, workspaceSize, executor, stream);
}

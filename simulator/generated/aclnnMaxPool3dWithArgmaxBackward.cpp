// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaxPool3dWithArgmaxBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_max_pool3d_with_argmax_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckMaxPool3dWithArgmaxBackward(const TensorParameter &gradOutput,
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
  RequireDataType({indices}, {ACL_INT32}, Product::kAtlasA3);
  RequireDataType({indices}, {ACL_INT32}, Product::kAtlasA2);
  RequireSameDataType({gradOutput, gradInput}, self);
  RequirePublicFormat({gradOutput, self, indices, gradInput});
  RequireSameFormat({gradOutput, gradInput}, gradOutput);
  RequireRank({gradOutput, self, indices, gradInput}, 4, 5);
  RequireSameShape({indices}, gradOutput);
  RequireSameShape({gradInput}, self);
  RequireNotEmpty({gradOutput, self, indices, gradInput});
  const auto kD = [&] { return Number(Numbers(kernelSize), 0); };
  const auto kH = [&] { return Number(Numbers(kernelSize), (Length(Numbers(kernelSize)) / 2)); };
  const auto kW = [&] { return Number(Numbers(kernelSize), (Length(Numbers(kernelSize)) - 1)); };
  const auto sD = [&] {
    return (Length(Numbers(stride)) == 0 ? kD() : Number(Numbers(stride), 0));
  };
  const auto sH = [&] {
    return (Length(Numbers(stride)) == 0 ? kH()
                                         : Number(Numbers(stride), (Length(Numbers(stride)) / 2)));
  };
  const auto sW = [&] {
    return (Length(Numbers(stride)) == 0 ? kW()
                                         : Number(Numbers(stride), (Length(Numbers(stride)) - 1)));
  };
  const auto pD = [&] { return Number(Numbers(padding), 0); };
  const auto pH = [&] { return Number(Numbers(padding), (Length(Numbers(padding)) / 2)); };
  const auto pW = [&] { return Number(Numbers(padding), (Length(Numbers(padding)) - 1)); };
  const auto dD = [&] { return Number(Numbers(dilation), 0); };
  const auto dH = [&] { return Number(Numbers(dilation), (Length(Numbers(dilation)) / 2)); };
  const auto dW = [&] { return Number(Numbers(dilation), (Length(Numbers(dilation)) - 1)); };
  const auto windowsD = [&] {
    return (FloorDivide((((Extent(self, -3) + (2 * pD())) - kD()) + (ceilMode ? (sD() - 1) : 0)),
                        sD()) +
            1);
  };
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
  const auto Do = [&] {
    return ((ceilMode) && (((windowsD() - 1) * sD()) >= (Extent(self, -3) + pD()))
                ? (windowsD() - 1)
                : windowsD());
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
  Require((Length(Numbers(kernelSize)) == 1) || (Length(Numbers(kernelSize)) == 3),
          "kernelSize holds one or three numbers");
  Require((kD() > 0) && (kH() > 0) && (kW() > 0), "the numbers of kernelSize are above 0");
  Require((Length(Numbers(stride)) <= 1) || (Length(Numbers(stride)) == 3),
          "stride holds no, one or three numbers; without any it equals kernelSize");
  Require((sD() > 0) && (sH() > 0) && (sW() > 0), "the numbers of stride are above 0");
  Require((Length(Numbers(padding)) == 1) || (Length(Numbers(padding)) == 3),
          "padding holds one or three numbers");
  Require((pD() >= 0) && (pH() >= 0) && (pW() >= 0) && (pD() <= (kD() / 2)) &&
              (pH() <= (kH() / 2)) && (pW() <= (kW() / 2)),
          "the numbers of padding are from 0 to half those of kernelSize");
  Require((Length(Numbers(dilation)) == 1) || (Length(Numbers(dilation)) == 3),
          "dilation holds one or three numbers");
  Require((dD() == 1) && (dH() == 1) && (dW() == 1), "the numbers of dilation are 1");
  Require((Do() > 0) && (Ho() > 0) && (Wo() > 0), "at least one window fits along each axis");
  Require((((Do() - 1) * sD()) <= pD()) && (((Ho() - 1) * sH()) <= pH()) &&
              (((Wo() - 1) * sW()) <= pW()),
          "each window holds the first element of the volume, which indices names");
  RequireShape(gradOutput,
               Joined(Shape(self->shape.begin(), self->shape.end() - 3), {Do(), Ho(), Wo()}));
}

}  // namespace

aclnnStatus aclnnMaxPool3dWithArgmaxBackwardGetWorkspaceSize(
    const aclTensor *gradOutput, const aclTensor *self, const aclTensor *indices,
    const aclIntArray *kernelSize, const aclIntArray *stride, const aclIntArray *padding,
    const aclIntArray *dilation, bool ceilMode, aclTensor *gradInput, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  return PlanOperator("aclnnMaxPool3dWithArgmaxBackward", workspaceSize, executor, [&] {
    CheckMaxPool3dWithArgmaxBackward({"gradOutput", gradOutput}, {"self", self},
                                     {"indices", indices}, {"kernelSize", kernelSize},
                                     {"stride", stride}, {"padding", padding},
                                     {"dilation", dilation}, ceilMode, {"gradInput", gradInput});
    return Work{
        0, [gradOutput = *gradOutput, self = *self, indices = *indices,
            gradInput = *gradInput](void *) { StandIn({gradInput}, {gradOutput, self, indices}); }};
  });
}

aclnnStatus aclnnMaxPool3dWithArgmaxBackward(void *workspace, uint64_t workspaceSize,
                                             aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnMaxPool3dWithArgmaxBackward", workspace, workspaceSize, executor,
                        stream);
}

// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAvgPool3d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_avgpool3d.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAvgPool3d(const TensorParameter &self, const IntArrayParameter &kernelSize,
                    const IntArrayParameter &stride, const IntArrayParameter &padding,
                    bool ceilMode, const TensorParameter &out) {
  RequireNotNull({self, out}, {kernelSize, stride, padding});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireSameFormat({out}, self);
  RequireRank({self, out}, 4, 5);
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
  Require((kD() <= Extent(self, -3)) && (kH() <= Extent(self, -2)) && (kW() <= Extent(self, -1)),
          "the numbers of kernelSize are at most the extents of self");
  Require((Length(Numbers(stride)) <= 1) || (Length(Numbers(stride)) == 3),
          "stride holds no, one or three numbers; without any it equals kernelSize");
  Require((sD() > 0) && (sH() > 0) && (sW() > 0), "the numbers of stride are above 0");
  Require((Length(Numbers(padding)) == 1) || (Length(Numbers(padding)) == 3),
          "padding holds one or three numbers");
  Require((pD() >= 0) && (pH() >= 0) && (pW() >= 0), "the numbers of padding are not below 0");
  Require((pD() <= (kD() / 2)) && (pH() <= (kH() / 2)) && (pW() <= (kW() / 2)),
          "the numbers of padding are at most half those of kernelSize");
  RequireShape(out, Joined(Shape(self->shape.begin(), self->shape.end() - 3), {Do(), Ho(), Wo()}));
}

}  // namespace

aclnnStatus aclnnAvgPool3dGetWorkspaceSize(const aclTensor *self, const aclIntArray *kernelSize,
                                           const aclIntArray *stride, const aclIntArray *padding,
                                           bool ceilMode, bool countIncludePad,
                                           int64_t divisorOverride, aclTensor *out,
                                           uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(countIncludePad);
  static_cast<void>(divisorOverride);
  return PlanOperator("aclnnAvgPool3d", workspaceSize, executor, [&] {
    CheckAvgPool3d({"self", self}, {"kernelSize", kernelSize}, {"stride", stride},
                   {"padding", padding}, ceilMode, {"out", out});
    return Work{0, [self = *self, out = *out](void *) { StandIn({out}, {self}); }};
  });
}

aclnnStatus aclnnAvgPool3d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream) {
  return LaunchOperator("aclnnAvgPool3d", workspace, workspaceSize, executor, stream);
}

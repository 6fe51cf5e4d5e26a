// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaxPool.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_max_pool.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckMaxPool(const TensorParameter &self, const IntArrayParameter &kernelShape,
                  const IntArrayParameter &strides, int64_t autoPad, const IntArrayParameter &pads,
                  const IntArrayParameter &dilations, int64_t ceilMode,
                  const TensorParameter &out) {
  RequireNotNull({self, out}, {kernelShape, strides, pads, dilations});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT16, ACL_FLOAT, ACL_BF16, ACL_INT32, ACL_INT64, ACL_UINT8,
                           ACL_INT16, ACL_INT8, ACL_UINT16});
  RequireDataType({self}, {ACL_FLOAT16, ACL_FLOAT}, Product::kAtlasA3);
  RequireDataType({self}, {ACL_FLOAT16, ACL_FLOAT}, Product::kAtlasA2);
  RequireDataType({self}, {ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 3, 4);
  const auto kH = [&] { return Number(Numbers(kernelShape), 0); };
  const auto kW = [&] { return Number(Numbers(kernelShape), (Length(Numbers(kernelShape)) - 1)); };
  const auto sH = [&] { return (Length(Numbers(strides)) == 0 ? 1 : Number(Numbers(strides), 0)); };
  const auto sW = [&] {
    return (Length(Numbers(strides)) == 0
                ? 1
                : Number(Numbers(strides), (Length(Numbers(strides)) - 1)));
  };
  const auto top = [&] { return (Length(Numbers(pads)) == 0 ? 0 : Number(Numbers(pads), 0)); };
  const auto left = [&] {
    return (Length(Numbers(pads)) == 0
                ? 0
                : Number(Numbers(pads), (Length(Numbers(pads)) > 1 ? 1 : 0)));
  };
  const auto bottom = [&] {
    return (Length(Numbers(pads)) == 0
                ? 0
                : Number(Numbers(pads), (Length(Numbers(pads)) > 2 ? 2 : 0)));
  };
  const auto right = [&] {
    return (Length(Numbers(pads)) == 0 ? 0 : Number(Numbers(pads), (Length(Numbers(pads)) - 1)));
  };
  const auto windowsH = [&] {
    return (FloorDivide(((((Extent(self, -2) + top()) + bottom()) - kH()) +
                         (ceilMode != 0 ? (sH() - 1) : 0)),
                        sH()) +
            1);
  };
  const auto windowsW = [&] {
    return (FloorDivide(((((Extent(self, -1) + left()) + right()) - kW()) +
                         (ceilMode != 0 ? (sW() - 1) : 0)),
                        sW()) +
            1);
  };
  const auto Ho = [&] {
    return ((ceilMode != 0) && (((windowsH() - 1) * sH()) >= (Extent(self, -2) + top()))
                ? (windowsH() - 1)
                : windowsH());
  };
  const auto Wo = [&] {
    return ((ceilMode != 0) && (((windowsW() - 1) * sW()) >= (Extent(self, -1) + left()))
                ? (windowsW() - 1)
                : windowsW());
  };
  Require(1 <= Length(Numbers(kernelShape)) && Length(Numbers(kernelShape)) <= 2,
          "kernelShape holds one or two numbers");
  Require((kH() > 0) && (kW() > 0), "the numbers of kernelShape are above 0");
  Require(Length(Numbers(strides)) <= 2,
          "strides holds no, one or two numbers; without any they are 1");
  Require((sH() > 0) && (sW() > 0), "the numbers of strides are above 0");
  Require(autoPad == 0, "autoPad is 0");
  Require((Length(Numbers(pads)) != 3) && (Length(Numbers(pads)) <= 4),
          "pads holds no, one, two or four numbers");
  Require((top() <= (kH() - bottom())) && (left() <= (kW() - right())),
          "the padding along an axis is at most the kernel");
  Require((Length(Numbers(dilations)) != 3) && (Length(Numbers(dilations)) <= 4),
          "dilations holds no, one, two or four numbers");
  Require((Length(Numbers(dilations)) == 0) ||
              ((Number(Numbers(dilations), 0) == 1) &&
               (Number(Numbers(dilations), (Length(Numbers(dilations)) / 2)) == 1) &&
               (Number(Numbers(dilations), (Length(Numbers(dilations)) - 1)) == 1)),
          "the numbers of dilations are 1");
  Require((Ho() > 0) && (Wo() > 0), "at least one window fits along each axis");
  RequireShape(out, Joined(Shape(self->shape.begin(), self->shape.end() - 2), {Ho(), Wo()}));
}

}  // namespace

aclnnStatus aclnnMaxPoolGetWorkspaceSize(const aclTensor *self, const aclIntArray *kernelShape,
                                         const aclIntArray *strides, int64_t autoPad,
                                         const aclIntArray *pads, const aclIntArray *dilations,
                                         int64_t ceilMode, aclTensor *out, uint64_t *workspaceSize,
                                         aclOpExecutor **executor) {
  return PlanOperator("aclnnMaxPool", workspaceSize, executor, [&] {
    CheckMaxPool({"self", self}, {"kernelShape", kernelShape}, {"strides", strides}, autoPad,
                 {"pads", pads}, {"dilations", dilations}, ceilMode, {"out", out});
    return Work{0, [self = *self, out = *out](void *) { StandIn({out}, {self}); }};
  });
}

aclnnStatus aclnnMaxPool(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                         aclrtStream stream) {
  return LaunchOperator("aclnnMaxPool", workspace, workspaceSize, executor, stream);
}

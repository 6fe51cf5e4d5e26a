// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <vector>

#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/max_pool.h"

using namespace simulator;

namespace {

void RequireSelfDataType(const TensorParameter &self) {
  if (CurrentProduct() == Product::kAtlasInference) {
    RequireDataType({self}, {ACL_FLOAT});
  } else {
    RequireDataType({self}, {ACL_BF16, ACL_FLOAT16, ACL_FLOAT});
  }
}

// No extent of 0 except that of N.
void RequirePlanes(const TensorParameter &self) {
  Require(ElementCount(Shape(self->shape.end() - 3, self->shape.end())) > 0,
          "self has shape " + ShapeText(self->shape) + ", must have elements along C, H and W");
}

PoolGeometry CheckMaxPool2dWithMask(const TensorParameter &self, const PoolAttributes &attributes,
                                    const TensorParameter &out, const TensorParameter &indices) {
  RequireNotNull({self, out, indices}, {attributes.kernelSize, attributes.stride,
                                        attributes.padding, attributes.dilation});
  RequireProduct(
      {Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference, Product::kAtlasTraining});
  RequireSelfDataType(self);
  RequireDataType({indices}, {ACL_INT8});
  RequireFormat({self, indices}, {ACL_FORMAT_NCHW, ACL_FORMAT_ND});
  RequireRank({self}, 3, 4);
  RequireSameDataType({out}, self);
  RequireSameFormat({out}, self);
  RequirePlanes(self);
  // The shapes of the outputs follow from the attributes, so these are checked first.
  const PoolGeometry geometry(self->shape, RequirePoolWindow(attributes));
  Require(
      geometry.out.height >= 0 && geometry.out.width >= 0,
      "the kernel is too large for self: out would have shape " + ShapeText(geometry.OutShape()));
  RequireShape(out, geometry.OutShape());
  RequireShape(indices, geometry.MaskShape());
  return geometry;
}

// Position and value of an output's maximum in its window.
struct Maximum {
  int64_t kh;
  int64_t kw;
  float value;
};

// The first maximum of a window in row-major order. Positions in the padding do not take part.
Maximum FindMaximum(const float *plane, const PoolGeometry &pool, int64_t oh, int64_t ow) {
  const int64_t top = oh * pool.window.stride.height - pool.window.padding.height;
  const int64_t left = ow * pool.window.stride.width - pool.window.padding.width;
  const int64_t bottom = std::min(top + pool.window.kernel.height, pool.in.height);
  const int64_t right = std::min(left + pool.window.kernel.width, pool.in.width);
  const int64_t firstRow = std::max<int64_t>(top, 0);
  const int64_t firstColumn = std::max<int64_t>(left, 0);
  Maximum best{firstRow - top, firstColumn - left, plane[firstRow * pool.in.width + firstColumn]};
  for (int64_t h = firstRow; h < bottom; ++h) {
    for (int64_t w = firstColumn; w < right; ++w) {
      const float value = plane[h * pool.in.width + w];
      if (value > best.value) best = {h - top, w - left, value};
    }
  }
  return best;
}

void MaxPool(const aclTensor &self, const PoolGeometry &pool, const aclTensor &out,
             const aclTensor &indices) {
  std::vector<float> elements = ReadAll(self);
  if (CurrentProduct() == Product::kAtlasTraining) {
    for (float &element : elements) element = RoundTo(ACL_FLOAT16, element);
  }
  std::vector<float> maxima;
  PoolMask mask(pool, CurrentProduct());
  for (int64_t plane = 0; plane < pool.planes; ++plane) {
    const float *const input = elements.data() + plane * pool.in.height * pool.in.width;
    for (int64_t oh = 0; oh < pool.out.height; ++oh) {
      for (int64_t ow = 0; ow < pool.out.width; ++ow) {
        const Maximum maximum = FindMaximum(input, pool, oh, ow);
        maxima.push_back(maximum.value);
        mask.Set(plane, oh, ow, maximum.kh, maximum.kw);
      }
    }
  }
  WriteAll(out, maxima);
  WriteBytes(indices, mask.Bytes());
}

}  // namespace

aclnnStatus aclnnMaxPool2dWithMaskGetWorkspaceSize(
    const aclTensor *self, const aclIntArray *kernelSize, const aclIntArray *stride,
    const aclIntArray *padding, const aclIntArray *dilation, bool ceilMode, aclTensor *out,
    aclTensor *indices, uint64_t *workspaceSize, aclOpExecutor **executor) {
  const TensorArguments tensors = {{self}, {out, indices}};
  return PlanOperator("aclnnMaxPool2dWithMask", tensors, workspaceSize, executor, [&] {
    const PoolAttributes attributes{{"kernelSize", kernelSize},
                                    {"stride", stride},
                                    {"padding", padding},
                                    {"dilation", dilation},
                                    ceilMode};
    const PoolGeometry pool =
        CheckMaxPool2dWithMask({"self", self}, attributes, {"out", out}, {"indices", indices});
    return Work{0, [self = *self, pool, out = *out, indices = *indices](void *) {
                  MaxPool(self, pool, out, indices);
                }};
  });
}

aclnnStatus aclnnMaxPool2dWithMask(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnMaxPool2dWithMask", workspace, workspaceSize, executor, stream);
}

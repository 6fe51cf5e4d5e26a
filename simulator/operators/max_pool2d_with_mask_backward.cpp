// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/max_pool.h"

using namespace simulator;

namespace {

// NCHW; Atlas A2 and A3 also take a single sample (C, H, W), which has no format of its own.
void RequireLayout(Tensors tensors, const TensorParameter &self) {
  const bool singleSample = CurrentProduct() != Product::kAtlasTraining && self->Rank() == 3;
  if (singleSample) {
    RequireFormat(tensors, {ACL_FORMAT_NCHW, ACL_FORMAT_ND});
    RequireRank(tensors, 3, 3);
  } else {
    RequireFormat(tensors, {ACL_FORMAT_NCHW});
    RequireRank(tensors, 4, 4);
  }
}

PoolGeometry CheckMaxPool2dWithMaskBackward(const TensorParameter &gradOutput,
                                            const TensorParameter &self,
                                            const TensorParameter &indices,
                                            const PoolAttributes &attributes,
                                            const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, self, indices, gradInput}, {attributes.kernelSize, attributes.stride,
                                                          attributes.padding, attributes.dilation});
  RequireProduct({Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({gradOutput, self, gradInput}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({indices}, {ACL_INT8});
  RequireSameDataType({gradOutput, gradInput}, self);
  RequireLayout({gradOutput, self, indices, gradInput}, self);
  RequireSameFormat({gradOutput, gradInput}, self);
  RequireSameShape({gradInput}, self);
  // The shapes of gradOutput and indices follow from the attributes, so these are checked first.
  const PoolGeometry geometry(self->shape, RequirePoolWindow(attributes));
  RequireShape(gradOutput, geometry.OutShape());
  RequireShape(indices, geometry.MaskShape());
  return geometry;
}

// `sums` has room for all elements of self; windows overlap, so positions get several gradients.
void MaxPoolBackward(const aclTensor &gradOutput, const aclTensor &indices,
                     const PoolGeometry &pool, const aclTensor &gradInput, float *sums) {
  // The training product computes this in float16 for every type of tensor.
  const bool inFloat16 = CurrentProduct() == Product::kAtlasTraining;
  const int64_t planeElements = pool.in.height * pool.in.width;
  std::fill_n(sums, pool.planes * planeElements, 0.0F);
  const PoolMask mask(pool, CurrentProduct(), ReadBytes(indices));
  ElementReader gradients(gradOutput);
  for (int64_t plane = 0; plane < pool.planes; ++plane) {
    float *const planeSums = sums + plane * planeElements;
    for (int64_t oh = 0; oh < pool.out.height; ++oh) {
      for (int64_t ow = 0; ow < pool.out.width; ++ow) {
        float gradient = 0.0F;
        gradients.Read(&gradient, 1);
        if (inFloat16) gradient = RoundTo(ACL_FLOAT16, gradient);
        mask.ForEach(plane, oh, ow,
                     [&](int64_t h, int64_t w) { planeSums[h * pool.in.width + w] += gradient; });
      }
    }
  }
  const auto result = [inFloat16](float sum) {
    return inFloat16 ? RoundTo(ACL_FLOAT16, sum) : sum;
  };
  std::transform(sums, sums + pool.planes * planeElements, sums, result);
  ElementWriter(gradInput).Write(sums, pool.planes * planeElements);
}

}  // namespace

aclnnStatus aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize(
    const aclTensor *gradOutput, const aclTensor *self, const aclTensor *indices,
    const aclIntArray *kernelSize, const aclIntArray *stride, const aclIntArray *padding,
    const aclIntArray *dilation, bool ceilMode, aclTensor *gradInput, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  const TensorArguments tensors = {{gradOutput, self, indices}, {gradInput}};
  return PlanOperator("aclnnMaxPool2dWithMaskBackward", tensors, workspaceSize, executor, [&] {
    const PoolAttributes attributes{{"kernelSize", kernelSize},
                                    {"stride", stride},
                                    {"padding", padding},
                                    {"dilation", dilation},
                                    ceilMode};
    const PoolGeometry pool =
        CheckMaxPool2dWithMaskBackward({"gradOutput", gradOutput}, {"self", self},
                                       {"indices", indices}, attributes, {"gradInput", gradInput});
    const auto workspaceBytes = static_cast<uint64_t>(ElementCount(self->shape)) * sizeof(float);
    return Work{workspaceBytes, [gradOutput = *gradOutput, indices = *indices, pool,
                                 gradInput = *gradInput](void *workspace) {
                  MaxPoolBackward(gradOutput, indices, pool, gradInput,
                                  static_cast<float *>(workspace));
                }};
  });
}

aclnnStatus aclnnMaxPool2dWithMaskBackward(void *workspace, uint64_t workspaceSize,
                                           aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnMaxPool2dWithMaskBackward", workspace, workspaceSize, executor,
                        stream);
}

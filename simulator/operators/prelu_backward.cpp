// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <vector>

#include "aclnnop/aclnn_prelu_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/sums.h"

using namespace simulator;

namespace {

// One weight for all elements, or one for each index of the second dimension: a vector, or of
// self's rank with extent 1 everywhere else.
bool IsWeightShape(const Shape &weight, const Shape &self) {
  if (ElementCount(weight) == 1) return true;
  if (self.size() < 2) return false;
  Shape perChannel(self.size(), 1);
  perChannel[1] = self[1];
  return weight == Shape{self[1]} || weight == perChannel;
}

// The earlier edition requires one dimension if weight has more than one element.
Shape GradWeightShape(const Shape &weight) {
  const int64_t count = ElementCount(weight);
  return CurrentEdition() == Edition::kEarlier && count != 1 ? Shape{count} : weight;
}

void CheckPreluBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                        const TensorParameter &weight, const TensorParameter &gradInput,
                        const TensorParameter &gradWeight) {
  RequireNotNull({gradOutput, self, weight, gradInput, gradWeight});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({gradOutput, self, weight, gradInput, gradWeight},
                  {ACL_FLOAT16, ACL_FLOAT, ACL_BF16});
  RequireSameDataType({gradOutput, weight, gradInput, gradWeight}, self);
  RequirePublicFormat({gradOutput, self, weight, gradInput, gradWeight});
  RequireRank({gradOutput, self, weight, gradInput, gradWeight}, 0, 8);
  Require(IsWeightShape(weight->shape, self->shape),
          "weight has shape " + ShapeText(weight->shape) +
              ", must have one element or one for each index of self's second dimension");
  RequireShape(gradWeight, GradWeightShape(weight->shape));
  RequireBroadcastTo(gradOutput, self);
  RequireSameShape({gradInput}, self);
}

// self as a row of `inner` elements for each of `outer` times `channels` weights.
struct Rows {
  int64_t outer;
  int64_t channels;
  int64_t inner;
};

Rows RowsOf(const Shape &self, const Shape &weight) {
  if (ElementCount(weight) == 1) return {1, 1, ElementCount(self)};
  return {self[0], self[1], ElementCount(Shape(self.begin() + 2, self.end()))};
}

// The weight of each element of self.
aclTensor WeightLikeSelf(const aclTensor &weight, const Shape &self) {
  aclTensor view = weight;
  view.shape = self;
  view.strides.assign(self.size(), 0);
  if (ElementCount(weight.shape) != 1) {
    view.strides[1] = weight.Rank() == 1 ? weight.strides[0] : weight.strides[1];
  }
  return view;
}

// gradWeight: the sums of the rows go to the workspace, then the rows of a channel are summed up.
void SumGradWeight(const aclTensor &gradOutput, const aclTensor &self, const aclTensor &gradWeight,
                   const Rows &rows, float *rowSums) {
  ElementReader selfReader(self);
  ElementReader gradReader(gradOutput);
  std::vector<float> x(static_cast<size_t>(rows.inner));
  std::vector<float> gradient(static_cast<size_t>(rows.inner));
  for (int64_t row = 0; row < rows.outer * rows.channels; ++row) {
    selfReader.Read(x.data(), rows.inner);
    gradReader.Read(gradient.data(), rows.inner);
    for (size_t i = 0; i < x.size(); ++i) gradient[i] = x[i] > 0.0F ? 0.0F : gradient[i] * x[i];
    rowSums[row] = PairwiseSum(gradient.data(), rows.inner);
  }
  std::vector<float> sums(static_cast<size_t>(rows.channels));
  std::vector<float> column(static_cast<size_t>(rows.outer));
  for (int64_t channel = 0; channel < rows.channels; ++channel) {
    for (int64_t o = 0; o < rows.outer; ++o) {
      column[static_cast<size_t>(o)] = rowSums[o * rows.channels + channel];
    }
    sums[static_cast<size_t>(channel)] = PairwiseSum(column.data(), rows.outer);
  }
  WriteAll(gradWeight, sums);
}

void MapGradInput(const aclTensor &gradOutput, const aclTensor &self, const aclTensor &weight,
                  const aclTensor &gradInput) {
  const auto gradient = [](float gradient, float x, float w) {
    return x > 0.0F ? gradient : gradient * w;
  };
  Map(gradInput, gradient, gradOutput, self, WeightLikeSelf(weight, self.shape));
}

}  // namespace

aclnnStatus aclnnPreluBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
                                               const aclTensor *weight, aclTensor *gradInput,
                                               aclTensor *gradWeight, uint64_t *workspaceSize,
                                               aclOpExecutor **executor) {
  const TensorArguments tensors = {{gradOutput, self, weight}, {gradInput, gradWeight}};
  return PlanOperator("aclnnPreluBackward", tensors, workspaceSize, executor, [&] {
    CheckPreluBackward({"gradOutput", gradOutput}, {"self", self}, {"weight", weight},
                       {"gradInput", gradInput}, {"gradWeight", gradWeight});
    const Rows rows = RowsOf(self->shape, weight->shape);
    const auto workspaceBytes = static_cast<uint64_t>(rows.outer * rows.channels) * sizeof(float);
    return Work{workspaceBytes,
                [gradOutput = BroadcastTo(*gradOutput, self->shape), self = *self, weight = *weight,
                 gradInput = *gradInput, gradWeight = *gradWeight, rows](void *workspace) {
                  SumGradWeight(gradOutput, self, gradWeight, rows,
                                static_cast<float *>(workspace));
                  MapGradInput(gradOutput, self, weight, gradInput);
                }};
  });
}

aclnnStatus aclnnPreluBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                               aclrtStream stream) {
  return LaunchOperator("aclnnPreluBackward", workspace, workspaceSize, executor, stream);
}

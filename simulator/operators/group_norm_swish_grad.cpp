// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <vector>

#include "aclnnop/aclnn_group_norm_swish_grad.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/sums.h"

using namespace simulator;

namespace {

constexpr int64_t kMostChannelsPerGroup = 4000;

struct Inputs {
  TensorParameter dy;
  TensorParameter mean;
  TensorParameter rstd;
  TensorParameter x;
  TensorParameter gamma;
  TensorParameter beta;
};

struct Outputs {
  TensorParameter dx;
  TensorParameter dgamma;
  TensorParameter dbeta;
};

// dataFormatOptional is not checked; N and C always come first.
void CheckGroupNormSwishGrad(const Inputs &in, int64_t numGroups, const Outputs &out) {
  RequireNotNull({in.dy, in.mean, in.rstd, in.x, in.gamma, in.beta, out.dx, out.dgamma, out.dbeta});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({in.dy}, {ACL_FLOAT16, ACL_FLOAT, ACL_BF16});
  RequireSameDataType({in.mean, in.rstd, in.x, in.gamma, in.beta}, in.dy);
  RequireSameDataType({out.dx, out.dgamma, out.dbeta}, in.dy);
  RequirePublicFormat(
      {in.dy, in.mean, in.rstd, in.x, in.gamma, in.beta, out.dx, out.dgamma, out.dbeta});
  RequireRank({in.dy}, 2, 8);
  RequireNotEmpty({in.dy});
  const int64_t samples = in.dy->shape[0];
  const int64_t channels = in.dy->shape[1];
  Require(numGroups > 0, "numGroups must be greater than 0");
  Require(channels % numGroups == 0, "numGroups must divide the number of channels");
  Require(channels / numGroups <= kMostChannelsPerGroup, "a group has more than 4000 channels");
  RequireSameShape({in.x, out.dx}, in.dy);
  RequireShape(in.mean, {samples, numGroups});
  RequireShape(in.rstd, {samples, numGroups});
  RequireElementCount(in.gamma, channels);
  RequireElementCount(in.beta, channels);
  RequireSameShape({out.dgamma, out.dbeta}, in.gamma);
  // The earlier edition promises non-contiguous outputs.
  if (CurrentEdition() == Edition::kCurrent) RequireContiguous({out.dx, out.dgamma, out.dbeta});
}

// What the work needs, by value.
struct Plan {
  aclTensor dy, mean, rstd, x, gamma, beta;
  aclTensor dx, dgamma, dbeta;
  int64_t samples;
  int64_t channels;
  int64_t pixels;
  int64_t groups;
  float swishScale;
  bool dgammaIsRequire;
  bool dbetaIsRequire;

  int64_t GroupOf(int64_t sample, int64_t channel) const {
    return sample * groups + channel / (channels / groups);
  }
};

// dYNew of one element.
float SwishGradient(float normalised, float gamma, float beta, float dy, float swishScale) {
  const float scaled = swishScale * (normalised * gamma + beta);
  const float denominator = std::exp(-scaled) + 1.0F;
  const float dSwish = scaled - scaled / denominator + 1.0F;
  return dSwish / denominator * dy;
}

// The whole computation, on row-major float32 copies of the inputs. A row holds the pixels of one
// channel of one sample.
class GroupNormSwishGrad {
 public:
  // `workspace` has room for two numbers for each row.
  GroupNormSwishGrad(const Plan &plan, float *workspace)
      : plan_(plan),
        mean_(ReadAll(plan.mean)),
        rstd_(ReadAll(plan.rstd)),
        gamma_(ReadAll(plan.gamma)),
        beta_(ReadAll(plan.beta)),
        normalised_(ReadAll(plan.x)),
        dyNew_(ReadAll(plan.dy)),
        rowDgamma_(workspace),
        rowDbeta_(workspace + plan.samples * plan.channels) {}

  void Run() {
    for (int64_t n = 0; n < plan_.samples; ++n) {
      for (int64_t c = 0; c < plan_.channels; ++c) BeginRow(n, c);
    }
    if (plan_.dgammaIsRequire) WriteAll(plan_.dgamma, SumOverSamples(rowDgamma_));
    if (plan_.dbetaIsRequire) WriteAll(plan_.dbeta, SumOverSamples(rowDbeta_));
    WriteAll(plan_.dx, InputGradient());
  }

 private:
  // Converts a row of x to x_hat and one of dy to dYNew, and sums its parts of dgamma and dbeta.
  void BeginRow(int64_t n, int64_t c) {
    const int64_t row = n * plan_.channels + c;
    const int64_t group = plan_.GroupOf(n, c);
    float *const xHat = &normalised_[row * plan_.pixels];
    float *const dyNew = &dyNew_[row * plan_.pixels];
    std::vector<float> products(plan_.pixels);
    for (int64_t i = 0; i < plan_.pixels; ++i) {
      xHat[i] = (xHat[i] - mean_[group]) * rstd_[group];
      dyNew[i] = SwishGradient(xHat[i], gamma_[c], beta_[c], dyNew[i], plan_.swishScale);
      products[i] = dyNew[i] * xHat[i];
    }
    rowDgamma_[row] = PairwiseSum(products.data(), plan_.pixels);
    rowDbeta_[row] = PairwiseSum(dyNew, plan_.pixels);
  }

  std::vector<float> SumOverSamples(const float *rowSums) const {
    std::vector<float> sums(plan_.channels);
    std::vector<float> column(plan_.samples);
    for (int64_t c = 0; c < plan_.channels; ++c) {
      for (int64_t n = 0; n < plan_.samples; ++n) column[n] = rowSums[n * plan_.channels + c];
      sums[c] = PairwiseSum(column.data(), plan_.samples);
    }
    return sums;
  }

  // The sum over a group of gamma times dYNew (or dYNew * x_hat), from the sums of its rows.
  float SumOverGroup(const float *rowSums, int64_t n, int64_t firstChannel) const {
    std::vector<float> terms(plan_.channels / plan_.groups);
    for (size_t i = 0; i < terms.size(); ++i) {
      const int64_t c = firstChannel + static_cast<int64_t>(i);
      terms[i] = gamma_[c] * rowSums[n * plan_.channels + c];
    }
    return PairwiseSum(terms.data(), static_cast<int64_t>(terms.size()));
  }

  std::vector<float> InputGradient() const {
    std::vector<float> dx(normalised_.size());
    const int64_t groupChannels = plan_.channels / plan_.groups;
    const auto groupElements = static_cast<float>(groupChannels * plan_.pixels);
    for (int64_t group = 0; group < plan_.samples * plan_.groups; ++group) {
      const int64_t n = group / plan_.groups;
      const int64_t firstChannel = group % plan_.groups * groupChannels;
      const float sum1 = SumOverGroup(rowDgamma_, n, firstChannel);
      const float sum2 = SumOverGroup(rowDbeta_, n, firstChannel);
      for (int64_t c = firstChannel; c < firstChannel + groupChannels; ++c) {
        for (int64_t i = 0; i < plan_.pixels; ++i) {
          const int64_t at = (n * plan_.channels + c) * plan_.pixels + i;
          const float correction = (normalised_[at] * sum1 + sum2) / groupElements;
          dx[at] = rstd_[group] * (dyNew_[at] * gamma_[c] - correction);
        }
      }
    }
    return dx;
  }

  const Plan &plan_;
  const std::vector<float> mean_, rstd_, gamma_, beta_;
  std::vector<float> normalised_;
  std::vector<float> dyNew_;
  float *const rowDgamma_;
  float *const rowDbeta_;
};

}  // namespace

aclnnStatus aclnnGroupNormSwishGradGetWorkspaceSize(
    const aclTensor *dy, const aclTensor *mean, const aclTensor *rstd, const aclTensor *x,
    const aclTensor *gamma, const aclTensor *beta, int64_t numGroups, char *, double swishScale,
    bool dgammaIsRequire, bool dbetaIsRequire, const aclTensor *dxOut, const aclTensor *dgammaOut,
    const aclTensor *dbetaOut, uint64_t *workspaceSize, aclOpExecutor **executor) {
  const TensorArguments tensors = {{dy, mean, rstd, x, gamma, beta}, {dxOut, dgammaOut, dbetaOut}};
  return PlanOperator("aclnnGroupNormSwishGrad", tensors, workspaceSize, executor, [&] {
    CheckGroupNormSwishGrad(
        {{"dy", dy}, {"mean", mean}, {"rstd", rstd}, {"x", x}, {"gamma", gamma}, {"beta", beta}},
        numGroups, {{"dxOut", dxOut}, {"dgammaOut", dgammaOut}, {"dbetaOut", dbetaOut}});
    const int64_t samples = dy->shape[0];
    const int64_t channels = dy->shape[1];
    const int64_t pixels = ElementCount(dy->shape) / (samples * channels);
    const Plan plan{*dy,
                    *mean,
                    *rstd,
                    *x,
                    *gamma,
                    *beta,
                    *dxOut,
                    *dgammaOut,
                    *dbetaOut,
                    samples,
                    channels,
                    pixels,
                    numGroups,
                    static_cast<float>(swishScale),
                    dgammaIsRequire,
                    dbetaIsRequire};
    const auto workspaceBytes = static_cast<uint64_t>(2 * samples * channels) * sizeof(float);
    return Work{workspaceBytes, [plan](void *workspace) {
                  GroupNormSwishGrad(plan, static_cast<float *>(workspace)).Run();
                }};
  });
}

aclnnStatus aclnnGroupNormSwishGrad(void *workspace, uint64_t workspaceSize,
                                    aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnGroupNormSwishGrad", workspace, workspaceSize, executor, stream);
}

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_GROUP_NORM_BACKWARD_H_
#define SIMULATOR_OPERATORS_GROUP_NORM_BACKWARD_H_

#include <vector>

#include "nnopbase/elements.h"
#include "nnopbase/sums.h"

inline void GroupNormBackward(const aclTensor &gradOut, const aclTensor &input,
                              const aclTensor &mean, const aclTensor &rstd, const aclTensor &gamma,
                              const aclTensor &gradInput, const aclTensor &gradGamma,
                              const aclTensor &gradBeta, int64_t samples, int64_t channels,
                              int64_t positions, int64_t groups, const simulator::Shape &wanted) {
  const std::vector<float> gradients = simulator::ReadAll(gradOut);
  std::vector<float> normal = simulator::ReadAll(input);
  const std::vector<float> means = simulator::ReadAll(mean);
  const std::vector<float> inverses = simulator::ReadAll(rstd);
  const std::vector<float> weights = simulator::ReadAll(gamma);
  const int64_t own = channels / groups;
  const int64_t size = own * positions;
  std::vector<float> results(normal.size());
  std::vector<std::vector<float>> byGamma(weights.size());
  std::vector<std::vector<float>> byBeta(weights.size());
  for (int64_t at = 0; at < samples * groups; ++at) {
    const auto group = static_cast<size_t>(at);
    std::vector<float> outer;
    std::vector<float> inner;
    for (int64_t i = at * size; i < (at + 1) * size; ++i) {
      const auto place = static_cast<size_t>(i);
      const auto channel = static_cast<size_t>(i / positions % channels);
      normal[place] = (normal[place] - means[group]) * inverses[group];
      byGamma[channel].push_back(gradients[place] * normal[place]);
      byBeta[channel].push_back(gradients[place]);
      outer.push_back(gradients[place] * weights[channel]);
      inner.push_back(outer.back() * normal[place]);
    }
    const float outerMean = simulator::PairwiseSum(outer.data(), size) / static_cast<float>(size);
    const float innerMean = simulator::PairwiseSum(inner.data(), size) / static_cast<float>(size);
    for (size_t i = 0; i < outer.size(); ++i) {
      const size_t place = group * outer.size() + i;
      results[place] = inverses[group] * (outer[i] - normal[place] * innerMean - outerMean);
    }
  }
  const auto summed = [](const std::vector<std::vector<float>> &terms) {
    std::vector<float> sums;
    for (const std::vector<float> &each : terms) {
      sums.push_back(simulator::PairwiseSum(each.data(), static_cast<int64_t>(each.size())));
    }
    return sums;
  };
  if (wanted[0] != 0) simulator::WriteAll(gradInput, results);
  if (wanted[1] != 0) simulator::WriteAll(gradGamma, summed(byGamma));
  if (wanted[2] != 0) simulator::WriteAll(gradBeta, summed(byBeta));
}

#endif  // SIMULATOR_OPERATORS_GROUP_NORM_BACKWARD_H_

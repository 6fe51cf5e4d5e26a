// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_GROUP_NORM_H_
#define SIMULATOR_OPERATORS_GROUP_NORM_H_

#include <cmath>
#include <vector>

#include "nnopbase/elements.h"
#include "nnopbase/sums.h"

// `activate` maps each normalised element, after weight and offset, to that of the output.
template <typename Activation>
void NormaliseGroups(const aclTensor &x, const aclTensor &gamma, const aclTensor &beta,
                     const aclTensor &out, const aclTensor &meanOut, const aclTensor &rstdOut,
                     int64_t groups, double eps, Activation activate) {
  const int64_t samples = x.shape[0];
  const int64_t channels = x.shape[1];
  const std::vector<float> weights = simulator::ReadAll(gamma);
  const std::vector<float> offsets = simulator::ReadAll(beta);
  const int64_t positions = simulator::ElementCount({x.shape.begin() + 2, x.shape.end()});
  const int64_t own = channels / groups;
  const int64_t length = own * positions;
  const auto count = static_cast<float>(length);
  std::vector<float> group(static_cast<size_t>(length));
  std::vector<float> squares(group.size());
  simulator::ElementReader reader(x);
  simulator::ElementWriter writer(out);
  simulator::ElementWriter means(meanOut);
  simulator::ElementWriter deviations(rstdOut);
  for (int64_t at = 0; at < samples * groups; ++at) {
    reader.Read(group.data(), length);
    const float mean = simulator::PairwiseSum(group.data(), length) / count;
    for (size_t i = 0; i < group.size(); ++i) {
      const float off = group[i] - mean;
      squares[i] = off * off;
    }
    const float variance = simulator::PairwiseSum(squares.data(), length) / count;
    const float rstd = 1.0F / std::sqrt(variance + static_cast<float>(eps));
    for (size_t i = 0; i < group.size(); ++i) {
      const auto channel =
          static_cast<size_t>(at % groups * own) + i / static_cast<size_t>(positions);
      group[i] = activate((group[i] - mean) * rstd * weights[channel] + offsets[channel]);
    }
    writer.Write(group.data(), length);
    means.Write(&mean, 1);
    deviations.Write(&rstd, 1);
  }
}

inline void GroupNorm(const aclTensor &x, const aclTensor &gamma, const aclTensor &beta,
                      const aclTensor &out, const aclTensor &mean, const aclTensor &rstd, int64_t,
                      int64_t, int64_t, int64_t groups, double eps) {
  NormaliseGroups(x, gamma, beta, out, mean, rstd, groups, eps, [](float y) { return y; });
}

#endif  // SIMULATOR_OPERATORS_GROUP_NORM_H_

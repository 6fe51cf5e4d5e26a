// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_LOG_SOFTMAX_BACKWARD_H_
#define SIMULATOR_OPERATORS_LOG_SOFTMAX_BACKWARD_H_

#include <cmath>
#include <vector>

#include "nnopbase/sums.h"

inline std::vector<float> LogSoftmaxBackward(const std::vector<float> &gradient,
                                             const std::vector<float> &output) {
  std::vector<float> result(gradient.size());
  const float sum = simulator::PairwiseSum(gradient.data(), static_cast<int64_t>(gradient.size()));
  for (size_t i = 0; i < result.size(); ++i) result[i] = gradient[i] - sum * std::exp(output[i]);
  return result;
}

#endif  // SIMULATOR_OPERATORS_LOG_SOFTMAX_BACKWARD_H_

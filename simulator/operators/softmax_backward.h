// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SOFTMAX_BACKWARD_H_
#define SIMULATOR_OPERATORS_SOFTMAX_BACKWARD_H_

#include <cstddef>
#include <vector>

#include "nnopbase/sums.h"

inline std::vector<float> SoftmaxBackward(const std::vector<float> &gradient,
                                          const std::vector<float> &output) {
  std::vector<float> result(gradient.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = gradient[i] * output[i];
  const float sum = simulator::PairwiseSum(result.data(), static_cast<int64_t>(result.size()));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] -= sum * output[i];
  return result;
}

#endif  // SIMULATOR_OPERATORS_SOFTMAX_BACKWARD_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SOFTMAX_H_
#define SIMULATOR_OPERATORS_SOFTMAX_H_

#include <algorithm>
#include <cmath>
#include <vector>

#include "nnopbase/sums.h"

template <typename Number>
std::vector<Number> Softmax(const std::vector<Number> &x) {
  const Number most = *std::max_element(x.begin(), x.end());
  std::vector<Number> result(x.size());
  for (size_t i = 0; i < x.size(); ++i) result[i] = std::exp(x[i] - most);
  const Number sum = simulator::PairwiseSum(result.data(), static_cast<int64_t>(x.size()));
  for (Number &each : result) each /= sum;
  return result;
}

#endif  // SIMULATOR_OPERATORS_SOFTMAX_H_

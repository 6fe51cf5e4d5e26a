// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_LOG_SOFTMAX_H_
#define SIMULATOR_OPERATORS_LOG_SOFTMAX_H_

#include <algorithm>
#include <cmath>
#include <vector>

#include "nnopbase/sums.h"

template <typename Number>
std::vector<Number> LogSoftmax(const std::vector<Number> &x) {
  const Number most = *std::max_element(x.begin(), x.end());
  std::vector<Number> powers(x.size());
  for (size_t i = 0; i < x.size(); ++i) powers[i] = std::exp(x[i] - most);
  const Number sum = simulator::PairwiseSum(powers.data(), static_cast<int64_t>(x.size()));
  std::vector<Number> result(x.size());
  for (size_t i = 0; i < x.size(); ++i) result[i] = x[i] - most - std::log(sum);
  return result;
}

#endif  // SIMULATOR_OPERATORS_LOG_SOFTMAX_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SOFTPLUS_BACKWARD_H_
#define SIMULATOR_OPERATORS_SOFTPLUS_BACKWARD_H_

#include <cmath>

template <typename Number>
Number SoftplusBackward(Number gradient, Number x, double beta, double threshold) {
  const auto scaled = static_cast<Number>(beta) * x;
  if (scaled > static_cast<Number>(threshold)) return gradient;
  return static_cast<Number>(gradient / (1 + std::exp(-scaled)));
}

#endif  // SIMULATOR_OPERATORS_SOFTPLUS_BACKWARD_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SELU_H_
#define SIMULATOR_OPERATORS_SELU_H_

#include <cmath>

// An integer result is truncated.
template <typename Number>
Number Selu(Number x) {
  const auto y = static_cast<float>(x);
  return static_cast<Number>(1.050701F * (y > 0.0F ? y : 1.6732632F * std::expm1(y)));
}

#endif  // SIMULATOR_OPERATORS_SELU_H_

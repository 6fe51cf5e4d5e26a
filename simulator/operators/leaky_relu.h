// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_LEAKY_RELU_H_
#define SIMULATOR_OPERATORS_LEAKY_RELU_H_

#include <algorithm>

inline float LeakyRelu(float x, float negativeSlope) {
  return std::max(0.0F, x) + negativeSlope * std::min(0.0F, x);
}

#endif  // SIMULATOR_OPERATORS_LEAKY_RELU_H_

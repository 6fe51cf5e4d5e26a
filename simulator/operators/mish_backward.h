// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_MISH_BACKWARD_H_
#define SIMULATOR_OPERATORS_MISH_BACKWARD_H_

#include <cmath>

inline float MishBackward(float gradient, float x) {
  const float t = std::tanh(std::log1p(std::exp(x)));
  const float s = 1.0F / (1.0F + std::exp(-x));
  return gradient * (t + x * ((1.0F - t * t) * s));
}

#endif  // SIMULATOR_OPERATORS_MISH_BACKWARD_H_

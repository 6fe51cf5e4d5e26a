// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_FAST_GELU_BACKWARD_H_
#define SIMULATOR_OPERATORS_FAST_GELU_BACKWARD_H_

#include <cmath>

inline float FastGeluBackward(float gradient, float x) {
  const float argument = -1.702F * x;
  const float s = 1.0F / (std::exp(argument) + 1.0F);
  return gradient * (((s - 1.0F) * argument + 1.0F) * s);
}

#endif  // SIMULATOR_OPERATORS_FAST_GELU_BACKWARD_H_

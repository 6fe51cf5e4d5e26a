// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SILU_BACKWARD_H_
#define SIMULATOR_OPERATORS_SILU_BACKWARD_H_

#include <cmath>

inline float SiluBackward(float gradient, float x) {
  const float s = 1.0F / (1.0F + std::exp(-x));
  return gradient * (s * (1.0F + x * (1.0F - s)));
}

#endif  // SIMULATOR_OPERATORS_SILU_BACKWARD_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SWISH_BACKWARD_H_
#define SIMULATOR_OPERATORS_SWISH_BACKWARD_H_

#include <cmath>

inline float SwishBackward(float gradient, float x, float beta) {
  const float scaled = beta * x;
  const float s = 1.0F / (1.0F + std::exp(-scaled));
  return gradient * (s * (1.0F + scaled * (1.0F - s)));
}

#endif  // SIMULATOR_OPERATORS_SWISH_BACKWARD_H_

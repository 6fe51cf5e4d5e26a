// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_GELU_BACKWARD_H_
#define SIMULATOR_OPERATORS_GELU_BACKWARD_H_

#include <cmath>

inline float GeluBackward(float gradient, float x) {
  const float share = 0.5F + 0.5F * std::erf(x / 1.41421356F);
  const float density = std::exp(-0.5F * (x * x)) / 2.50662827F;
  return gradient * (share + x * density);
}

#endif  // SIMULATOR_OPERATORS_GELU_BACKWARD_H_

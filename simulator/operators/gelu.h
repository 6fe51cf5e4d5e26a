// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_GELU_H_
#define SIMULATOR_OPERATORS_GELU_H_

#include <cmath>

inline float Gelu(float x) {
  const float argument = 0.7978845608F * (x + 0.044715F * x * x * x);
  return 0.5F * x * (1.0F + std::tanh(argument));
}

#endif  // SIMULATOR_OPERATORS_GELU_H_

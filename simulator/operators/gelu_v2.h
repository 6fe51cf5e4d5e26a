// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_GELU_V2_H_
#define SIMULATOR_OPERATORS_GELU_V2_H_

#include <cmath>
#include <cstdint>

inline float GeluV2(float x, int64_t approximate) {
  if (approximate == 0) return x * (0.5F * std::erfc(x * -0.70710678F));
  return 0.5F * x * (1.0F + std::tanh(0.79788456F * (x + 0.044715F * x * x * x)));
}

#endif  // SIMULATOR_OPERATORS_GELU_V2_H_

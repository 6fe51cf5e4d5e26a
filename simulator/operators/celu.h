// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_CELU_H_
#define SIMULATOR_OPERATORS_CELU_H_

#include <algorithm>
#include <cmath>

inline float Celu(float x, float alpha) {
  return x > 0.0F ? x : std::min(0.0F, alpha * std::expm1(x / alpha));
}

#endif  // SIMULATOR_OPERATORS_CELU_H_

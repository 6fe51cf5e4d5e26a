// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_ELU_H_
#define SIMULATOR_OPERATORS_ELU_H_

#include <cmath>

inline float Elu(float x, float alpha, float scale, float inputScale) {
  return x > 0.0F ? scale * x : alpha * scale * std::expm1(x * inputScale);
}

#endif  // SIMULATOR_OPERATORS_ELU_H_

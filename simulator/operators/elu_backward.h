// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_ELU_BACKWARD_H_
#define SIMULATOR_OPERATORS_ELU_BACKWARD_H_

#include <cmath>

inline float EluBackward(float gradient, float x, float alpha, float scale, float inputScale,
                         bool isResult) {
  if (x > 0.0F) return gradient * scale;
  const float rest = isResult ? x + alpha * scale : alpha * scale * std::exp(x * inputScale);
  return gradient * (inputScale * rest);
}

#endif  // SIMULATOR_OPERATORS_ELU_BACKWARD_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_KL_DIV_BACKWARD_H_
#define SIMULATOR_OPERATORS_KL_DIV_BACKWARD_H_

#include <cmath>
#include <cstdint>

inline float KlDivBackward(float gradient, float /*x*/, float target, int64_t reduction,
                           bool logTarget, int64_t count, int64_t batch) {
  const int64_t divisor = reduction == 1 ? count : reduction == 3 ? batch : 1;
  const float probability = logTarget ? std::exp(target) : target;
  return -probability * (gradient / static_cast<float>(divisor));
}

#endif  // SIMULATOR_OPERATORS_KL_DIV_BACKWARD_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_L1_LOSS_BACKWARD_H_
#define SIMULATOR_OPERATORS_L1_LOSS_BACKWARD_H_

#include <cstdint>

inline float L1LossBackward(float gradient, float x, float target, int64_t reduction, int64_t count,
                            int64_t /*stretched*/) {
  const float sign = static_cast<float>(x > target) - static_cast<float>(x < target);
  return reduction == 1 ? gradient * sign / static_cast<float>(count) : gradient * sign;
}

#endif  // SIMULATOR_OPERATORS_L1_LOSS_BACKWARD_H_

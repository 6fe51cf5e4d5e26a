// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SMOOTH_L1_LOSS_BACKWARD_H_
#define SIMULATOR_OPERATORS_SMOOTH_L1_LOSS_BACKWARD_H_

#include <cmath>
#include <cstdint>

inline float SmoothL1LossBackward(float gradient, float x, float target, int64_t reduction,
                                  float beta, int64_t count, int64_t /*stretched*/) {
  const float difference = x - target;
  const float sign = static_cast<float>(difference > 0.0F) - static_cast<float>(difference < 0.0F);
  const float slope = std::fabs(difference) < beta ? difference / beta : sign;
  return reduction == 1 ? gradient * slope / static_cast<float>(count) : gradient * slope;
}

#endif  // SIMULATOR_OPERATORS_SMOOTH_L1_LOSS_BACKWARD_H_

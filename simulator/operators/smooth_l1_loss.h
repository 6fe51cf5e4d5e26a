// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SMOOTH_L1_LOSS_H_
#define SIMULATOR_OPERATORS_SMOOTH_L1_LOSS_H_

#include <cmath>

inline float SmoothL1Loss(float x, float target, float beta) {
  const float distance = std::fabs(x - target);
  if (distance < beta) return 0.5F * distance * distance / beta;
  return distance - 0.5F * beta;
}

#endif  // SIMULATOR_OPERATORS_SMOOTH_L1_LOSS_H_

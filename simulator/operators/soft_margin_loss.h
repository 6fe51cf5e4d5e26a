// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SOFT_MARGIN_LOSS_H_
#define SIMULATOR_OPERATORS_SOFT_MARGIN_LOSS_H_

#include <cmath>

// Avoids the exponential of a positive number, which could overflow.
inline float SoftMarginLoss(float x, float target) {
  const float z = target * x;
  return std::fmax(-z, 0.0F) + std::log1p(std::exp(-std::fabs(z)));
}

#endif  // SIMULATOR_OPERATORS_SOFT_MARGIN_LOSS_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SOFT_MARGIN_LOSS_BACKWARD_H_
#define SIMULATOR_OPERATORS_SOFT_MARGIN_LOSS_BACKWARD_H_

#include <cmath>
#include <cstdint>

inline float SoftMarginLossBackward(float gradient, float x, float target, int64_t reduction,
                                    int64_t count, int64_t /*stretched*/) {
  const float slope = -target / (1.0F + std::exp(target * x));
  const float share = reduction == 1 ? gradient / static_cast<float>(count) : gradient;
  return share * slope;
}

#endif  // SIMULATOR_OPERATORS_SOFT_MARGIN_LOSS_BACKWARD_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_MSE_LOSS_BACKWARD_H_
#define SIMULATOR_OPERATORS_MSE_LOSS_BACKWARD_H_

#include <cstdint>

// The mean's factor comes first, because a product of gradient and difference could overflow.
inline float MseLossBackward(float gradient, float x, float target, int64_t reduction,
                             int64_t count, int64_t /*stretched*/) {
  const float factor = reduction == 1 ? 2.0F / static_cast<float>(count) : 2.0F;
  return gradient * ((x - target) * factor);
}

#endif  // SIMULATOR_OPERATORS_MSE_LOSS_BACKWARD_H_

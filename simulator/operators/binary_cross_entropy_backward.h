// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_BINARY_CROSS_ENTROPY_BACKWARD_H_
#define SIMULATOR_OPERATORS_BINARY_CROSS_ENTROPY_BACKWARD_H_

#include <cstdint>

inline float BinaryCrossEntropyBackward(float gradient, float x, float target, float weight,
                                        int64_t reduction, int64_t count) {
  const float share = reduction == 1 ? gradient / static_cast<float>(count) : gradient;
  return share * (weight * ((x - target) / (x * (1.0F - x))));
}

#endif  // SIMULATOR_OPERATORS_BINARY_CROSS_ENTROPY_BACKWARD_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_BINARY_CROSS_ENTROPY_WITH_LOGITS_H_
#define SIMULATOR_OPERATORS_BINARY_CROSS_ENTROPY_WITH_LOGITS_H_

#include <cmath>

// The logarithms of the sigmoid and of 1 minus the sigmoid, accurate far from 0.
inline float BinaryCrossEntropyWithLogits(float x, float target, float weight, float posWeight) {
  const float curve = std::log1p(std::exp(-std::fabs(x)));
  const float own = std::fmin(x, 0.0F) - curve;
  const float other = std::fmin(-x, 0.0F) - curve;
  return -weight * (posWeight * target * own + (1.0F - target) * other);
}

#endif  // SIMULATOR_OPERATORS_BINARY_CROSS_ENTROPY_WITH_LOGITS_H_

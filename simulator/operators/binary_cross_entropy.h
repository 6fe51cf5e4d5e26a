// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_BINARY_CROSS_ENTROPY_H_
#define SIMULATOR_OPERATORS_BINARY_CROSS_ENTROPY_H_

#include <cmath>

inline float BinaryCrossEntropy(float x, float target, float weight) {
  return -weight * (target * std::log(x) + (1.0F - target) * std::log(1.0F - x));
}

#endif  // SIMULATOR_OPERATORS_BINARY_CROSS_ENTROPY_H_

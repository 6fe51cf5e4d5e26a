// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_HARDSIGMOID_BACKWARD_H_
#define SIMULATOR_OPERATORS_HARDSIGMOID_BACKWARD_H_

#include <cmath>

inline float HardsigmoidBackward(float gradient, float x) {
  return std::fabs(x) < 3.0F ? gradient / 6.0F : 0.0F;
}

#endif  // SIMULATOR_OPERATORS_HARDSIGMOID_BACKWARD_H_

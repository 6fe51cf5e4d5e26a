// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_HARDSHRINK_BACKWARD_H_
#define SIMULATOR_OPERATORS_HARDSHRINK_BACKWARD_H_

#include <algorithm>

// A NaN is on neither side of lambd.
inline float HardshrinkBackward(float gradient, float x, float lambd) {
  const float bound = std::max(lambd, 0.0F);
  return x > bound || x < -bound ? gradient : 0.0F;
}

#endif  // SIMULATOR_OPERATORS_HARDSHRINK_BACKWARD_H_

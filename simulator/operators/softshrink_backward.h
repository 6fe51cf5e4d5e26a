// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SOFTSHRINK_BACKWARD_H_
#define SIMULATOR_OPERATORS_SOFTSHRINK_BACKWARD_H_

#include <algorithm>

// A NaN is on neither side of lambda.
inline float SoftshrinkBackward(float gradient, float x, float lambda) {
  const float bound = std::max(lambda, 0.0F);
  return x > bound || x < -bound ? gradient : 0.0F;
}

#endif  // SIMULATOR_OPERATORS_SOFTSHRINK_BACKWARD_H_

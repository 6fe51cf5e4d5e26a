// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SOFTSHRINK_BACKWARD_H_
#define SIMULATOR_OPERATORS_SOFTSHRINK_BACKWARD_H_

#include "operators/hardshrink_backward.h"

inline float SoftshrinkBackward(float gradient, float x, float lambda) {
  return HardshrinkBackward(gradient, x, lambda);
}

#endif  // SIMULATOR_OPERATORS_SOFTSHRINK_BACKWARD_H_

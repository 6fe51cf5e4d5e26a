// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_HARDSWISH_BACKWARD_V2_H_
#define SIMULATOR_OPERATORS_HARDSWISH_BACKWARD_V2_H_

inline float HardswishBackwardV2(float gradient, float x) {
  if (x <= -3.0F) return 0.0F;
  return x >= 3.0F ? gradient : gradient * (x / 3.0F + 0.5F);
}

#endif  // SIMULATOR_OPERATORS_HARDSWISH_BACKWARD_V2_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_HARDSWISH_H_
#define SIMULATOR_OPERATORS_HARDSWISH_H_

inline float Hardswish(float x) {
  if (x >= 3.0F) return x;
  return x <= -3.0F ? 0.0F : x * (x + 3.0F) / 6.0F;
}

#endif  // SIMULATOR_OPERATORS_HARDSWISH_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SHRINK_H_
#define SIMULATOR_OPERATORS_SHRINK_H_

inline float Shrink(float x, float lambd, float bias) {
  if (x > lambd) return x - bias;
  return x < -lambd ? x + bias : 0.0F;
}

#endif  // SIMULATOR_OPERATORS_SHRINK_H_

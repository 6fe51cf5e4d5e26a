// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SOFTSHRINK_H_
#define SIMULATOR_OPERATORS_SOFTSHRINK_H_

inline float Softshrink(float x, float lambd) {
  if (x > lambd) return x - lambd;
  if (x < -lambd) return x + lambd;
  return 0.0F;
}

#endif  // SIMULATOR_OPERATORS_SOFTSHRINK_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_HARDTANH_BACKWARD_H_
#define SIMULATOR_OPERATORS_HARDTANH_BACKWARD_H_

inline float HardtanhBackward(float gradient, float x, float min, float max) {
  return x > max || x < min ? 0.0F : gradient;
}

#endif  // SIMULATOR_OPERATORS_HARDTANH_BACKWARD_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_LOGIT_H_
#define SIMULATOR_OPERATORS_LOGIT_H_

#include <cmath>
#include <limits>

inline float Logit(float x, float eps) {
  if (eps > 1.0F || !(x >= 0.0F && x <= 1.0F)) return std::numeric_limits<float>::quiet_NaN();
  if (eps == 1.0F) return std::numeric_limits<float>::infinity();
  float z = x;
  if (eps >= 0.0F) {
    if (x > 1.0F - eps) z = 1.0F - eps;
    if (x < eps) z = eps;
  }
  return std::log(z / (1.0F - z));
}

#endif  // SIMULATOR_OPERATORS_LOGIT_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SOFTPLUS_H_
#define SIMULATOR_OPERATORS_SOFTPLUS_H_

#include <cmath>

inline float Softplus(float x, float beta, float threshold) {
  const float scaled = beta * x;
  return scaled > threshold ? x : std::log1p(std::exp(scaled)) / beta;
}

#endif  // SIMULATOR_OPERATORS_SOFTPLUS_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_LOG_SIGMOID_H_
#define SIMULATOR_OPERATORS_LOG_SIGMOID_H_

#include <cmath>

inline float LogSigmoid(float x) {
  return std::fmin(x, 0.0F) - std::log1p(std::exp(-std::fabs(x)));
}

#endif  // SIMULATOR_OPERATORS_LOG_SIGMOID_H_

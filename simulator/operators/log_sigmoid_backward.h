// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_LOG_SIGMOID_BACKWARD_H_
#define SIMULATOR_OPERATORS_LOG_SIGMOID_BACKWARD_H_

#include <cmath>

inline float LogSigmoidBackward(float gradient, float x, float /* buffer */) {
  return gradient / (1.0F + std::exp(x));
}

#endif  // SIMULATOR_OPERATORS_LOG_SIGMOID_BACKWARD_H_

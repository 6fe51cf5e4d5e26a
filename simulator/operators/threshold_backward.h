// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_THRESHOLD_BACKWARD_H_
#define SIMULATOR_OPERATORS_THRESHOLD_BACKWARD_H_

template <typename Number>
Number ThresholdBackward(Number gradient, Number x, double threshold) {
  return x > static_cast<Number>(threshold) ? gradient : Number{0};
}

#endif  // SIMULATOR_OPERATORS_THRESHOLD_BACKWARD_H_

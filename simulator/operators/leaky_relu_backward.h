// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_LEAKY_RELU_BACKWARD_H_
#define SIMULATOR_OPERATORS_LEAKY_RELU_BACKWARD_H_

template <typename Number>
Number LeakyReluBackward(Number gradient, Number x, double slope, bool selfIsResult) {
  (void)selfIsResult;  // the sign of the result is that of the input
  return x > 0 ? gradient : static_cast<Number>(gradient * slope);
}

#endif  // SIMULATOR_OPERATORS_LEAKY_RELU_BACKWARD_H_

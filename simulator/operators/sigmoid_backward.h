// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SIGMOID_BACKWARD_H_
#define SIMULATOR_OPERATORS_SIGMOID_BACKWARD_H_

template <typename Number>
Number SigmoidBackward(Number gradient, Number y) {
  return gradient * y * (1 - y);
}

#endif  // SIMULATOR_OPERATORS_SIGMOID_BACKWARD_H_

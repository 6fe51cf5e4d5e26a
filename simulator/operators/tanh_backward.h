// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_TANH_BACKWARD_H_
#define SIMULATOR_OPERATORS_TANH_BACKWARD_H_

template <typename Number>
Number TanhBackward(Number gradient, Number output) {
  return gradient * (1 - output * output);
}

#endif  // SIMULATOR_OPERATORS_TANH_BACKWARD_H_

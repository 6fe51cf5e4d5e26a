// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_RELU_H_
#define SIMULATOR_OPERATORS_RELU_H_

template <typename Number>
Number Relu(Number x) {
  return x > 0 ? x : Number{0};
}

#endif  // SIMULATOR_OPERATORS_RELU_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SELU_BACKWARD_H_
#define SIMULATOR_OPERATORS_SELU_BACKWARD_H_

// An integer result is truncated.
template <typename Number>
Number SeluBackward(Number gradient, Number result) {
  const auto y = static_cast<float>(result);
  const float slope = y > 0.0F ? 1.050701F : y + 1.7580993F;
  return static_cast<Number>(static_cast<float>(gradient) * slope);
}

#endif  // SIMULATOR_OPERATORS_SELU_BACKWARD_H_

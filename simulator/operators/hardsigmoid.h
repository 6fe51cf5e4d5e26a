// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_HARDSIGMOID_H_
#define SIMULATOR_OPERATORS_HARDSIGMOID_H_

template <typename Number>
Number Hardsigmoid(Number x) {
  if (x > 3) return 1;
  if (x <= -3) return 0;
  return static_cast<Number>(static_cast<float>(x) / 6.0F + 0.5F);
}

#endif  // SIMULATOR_OPERATORS_HARDSIGMOID_H_

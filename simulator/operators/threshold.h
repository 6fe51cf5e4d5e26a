// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_THRESHOLD_H_
#define SIMULATOR_OPERATORS_THRESHOLD_H_

template <typename Number>
Number Threshold(Number x, double threshold, double value) {
  return x > static_cast<Number>(threshold) ? x : static_cast<Number>(value);
}

#endif  // SIMULATOR_OPERATORS_THRESHOLD_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_GLU_BACKWARD_H_
#define SIMULATOR_OPERATORS_GLU_BACKWARD_H_

#include <cmath>
#include <vector>

template <typename Number>
std::vector<Number> GluBackward(const std::vector<Number> &gradient, const std::vector<Number> &x) {
  const size_t half = gradient.size();
  std::vector<Number> result(x.size());
  for (size_t i = 0; i < half; ++i) {
    const Number s = 1 / (1 + std::exp(-x[half + i]));
    result[i] = gradient[i] * s;
    result[half + i] = result[i] * (x[i] - x[i] * s);
  }
  return result;
}

#endif  // SIMULATOR_OPERATORS_GLU_BACKWARD_H_

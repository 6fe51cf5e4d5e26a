// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_GLU_H_
#define SIMULATOR_OPERATORS_GLU_H_

#include <cmath>
#include <vector>

template <typename Number>
std::vector<Number> Glu(const std::vector<Number> &x) {
  const size_t half = x.size() / 2;
  std::vector<Number> result(half);
  for (size_t i = 0; i < half; ++i) result[i] = x[i] / (1 + std::exp(-x[half + i]));
  return result;
}

#endif  // SIMULATOR_OPERATORS_GLU_H_

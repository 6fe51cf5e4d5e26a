// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_SUMS_H_
#define SIMULATOR_NNOPBASE_SUMS_H_

#include <cstdint>

namespace simulator {

/// The sum in float32 or double, by halves: the rounding error grows with the logarithm of `count`.
template <typename Number>
Number PairwiseSum(const Number *values, int64_t count) {
  constexpr int64_t kPlainSum = 16;
  if (count > kPlainSum) {
    const int64_t half = count / 2;
    return PairwiseSum(values, half) + PairwiseSum(values + half, count - half);
  }
  Number sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += values[i];
  return sum;
}

}  // namespace simulator

#endif  // SIMULATOR_NNOPBASE_SUMS_H_

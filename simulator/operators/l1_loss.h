// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_L1_LOSS_H_
#define SIMULATOR_OPERATORS_L1_LOSS_H_

#include <algorithm>
#include <cstdint>

template <typename Number>
Number L1Loss(Number x, Number target) {
  return x < target ? target - x : x - target;
}

// Integers wrap.
inline int64_t L1Loss(int64_t x, int64_t target) {
  return static_cast<int64_t>(static_cast<uint64_t>(std::max(x, target)) -
                              static_cast<uint64_t>(std::min(x, target)));
}

#endif  // SIMULATOR_OPERATORS_L1_LOSS_H_

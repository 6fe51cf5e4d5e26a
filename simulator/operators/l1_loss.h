// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_L1_LOSS_H_
#define SIMULATOR_OPERATORS_L1_LOSS_H_

template <typename Number>
Number L1Loss(Number x, Number target) {
  return x < target ? target - x : x - target;
}

#endif  // SIMULATOR_OPERATORS_L1_LOSS_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_MSE_LOSS_H_
#define SIMULATOR_OPERATORS_MSE_LOSS_H_

inline float MseLoss(float x, float target) { return (x - target) * (x - target); }

#endif  // SIMULATOR_OPERATORS_MSE_LOSS_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_TANH_H_
#define SIMULATOR_OPERATORS_TANH_H_

#include <cmath>

inline float Tanh(float x) { return std::tanh(x); }

#endif  // SIMULATOR_OPERATORS_TANH_H_

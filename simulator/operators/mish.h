// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_MISH_H_
#define SIMULATOR_OPERATORS_MISH_H_

#include <cmath>

inline float Mish(float x) { return x * std::tanh(std::log1p(std::exp(x))); }

#endif  // SIMULATOR_OPERATORS_MISH_H_

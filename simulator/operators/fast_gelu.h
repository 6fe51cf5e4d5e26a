// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_FAST_GELU_H_
#define SIMULATOR_OPERATORS_FAST_GELU_H_

#include <cmath>

inline float FastGelu(float x) { return x / (1.0F + std::exp(-1.702F * x)); }

#endif  // SIMULATOR_OPERATORS_FAST_GELU_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SILU_H_
#define SIMULATOR_OPERATORS_SILU_H_

#include <cmath>

inline float Silu(float x) { return x / (1.0F + std::exp(-x)); }

#endif  // SIMULATOR_OPERATORS_SILU_H_

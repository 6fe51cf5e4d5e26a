// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SWISH_H_
#define SIMULATOR_OPERATORS_SWISH_H_

#include <cmath>

inline float Swish(float x, float beta) { return x / (1.0F + std::exp(-beta * x)); }

#endif  // SIMULATOR_OPERATORS_SWISH_H_

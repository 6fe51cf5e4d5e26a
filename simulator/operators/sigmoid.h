// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SIGMOID_H_
#define SIMULATOR_OPERATORS_SIGMOID_H_

#include <cmath>

inline float Sigmoid(float x) { return 1.0F / (1.0F + std::exp(-x)); }

#endif  // SIMULATOR_OPERATORS_SIGMOID_H_

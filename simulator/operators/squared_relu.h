// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_SQUARED_RELU_H_
#define SIMULATOR_OPERATORS_SQUARED_RELU_H_

// Inf and NaN pass, because no comparison holds for NaN.
inline float SquaredRelu(float x) { return x < 0.0F ? 0.0F : x * x; }

#endif  // SIMULATOR_OPERATORS_SQUARED_RELU_H_

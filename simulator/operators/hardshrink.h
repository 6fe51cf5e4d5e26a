// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_HARDSHRINK_H_
#define SIMULATOR_OPERATORS_HARDSHRINK_H_

inline float Hardshrink(float x, float lambd) { return x > lambd || x < -lambd ? x : 0.0F; }

#endif  // SIMULATOR_OPERATORS_HARDSHRINK_H_

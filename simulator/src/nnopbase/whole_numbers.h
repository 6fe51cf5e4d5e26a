// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_WHOLE_NUMBERS_H_
#define SIMULATOR_NNOPBASE_WHOLE_NUMBERS_H_

#include <cmath>
#include <type_traits>

/// Integers are whole.
namespace simulator::whole {

template <typename Number>
Number Floor(Number number) {
  if constexpr (std::is_floating_point_v<Number>) return std::floor(number);
  return number;
}

template <typename Number>
Number Ceil(Number number) {
  if constexpr (std::is_floating_point_v<Number>) return std::ceil(number);
  return number;
}

template <typename Number>
Number Trunc(Number number) {
  if constexpr (std::is_floating_point_v<Number>) return std::trunc(number);
  return number;
}

template <typename Number>
Number Round(Number number) {
  if constexpr (std::is_floating_point_v<Number>) return std::nearbyint(number);
  return number;
}

}  // namespace simulator::whole

#endif  // SIMULATOR_NNOPBASE_WHOLE_NUMBERS_H_

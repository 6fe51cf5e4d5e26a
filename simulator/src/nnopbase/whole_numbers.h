// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_WHOLE_NUMBERS_H_
#define SIMULATOR_NNOPBASE_WHOLE_NUMBERS_H_

#include <cmath>
#include <cstdint>
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

/// The quotient of integers without its fraction, 0 by 0; its lowest bits, if it is beyond int64.
template <typename Number>
Number Quotient(Number dividend, Number divisor) {
  if (divisor == 0) return 0;
  if (divisor == Number(-1)) return Number(0 - uint64_t(dividend));
  return dividend / divisor;
}

/// The largest integer that is not above a quotient of integers; of others that of `divide`.
template <typename Number, typename Divide>
auto FloorOfQuotient(Number dividend, Number divisor, Divide divide) {
  if constexpr (std::is_floating_point_v<Number>) {
    return Floor(divide());
  } else {
    const Number quotient = Quotient(dividend, divisor);
    const bool is_below = quotient * divisor != dividend && (dividend < 0) != (divisor < 0);
    return divisor != 0 && is_below ? quotient - 1 : quotient;
  }
}

/// The quotient without its fraction, likewise.
template <typename Number, typename Divide>
auto TruncOfQuotient(Number dividend, Number divisor, Divide divide) {
  if constexpr (std::is_floating_point_v<Number>) {
    return Trunc(divide());
  } else {
    return Quotient(dividend, divisor);
  }
}

/// A power; of integers its lowest bits, without a fraction.
template <typename Number>
Number Power(Number base, Number exponent) {
  if constexpr (std::is_floating_point_v<Number>) {
    return std::pow(base, exponent);
  } else {
    const bool is_odd = exponent % 2 != 0;
    if (exponent < 0) return base == 1 || base == Number(-1) ? (is_odd ? base : 1) : 0;
    uint64_t power = 1;
    for (auto factor = uint64_t(base); exponent != 0; exponent /= 2, factor *= factor) {
      if (exponent % 2 != 0) power *= factor;
    }
    return Number(power);
  }
}

}  // namespace simulator::whole

#endif  // SIMULATOR_NNOPBASE_WHOLE_NUMBERS_H_

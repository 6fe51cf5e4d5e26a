// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_FLOAT_TYPES_H_
#define SIMULATOR_NNOPBASE_FLOAT_TYPES_H_

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace simulator {

/// The floating types in memory, with their largest finite values (for double, that of float).
struct Float32 {
  float value;
  static constexpr float kLargest = 3.40282346638528859812e+38F;
};
struct Float16 {
  uint16_t bits;
  static constexpr float kLargest = 65504.0F;
};
struct Bfloat16 {
  uint16_t bits;
  static constexpr float kLargest = 3.38953138925153547590e+38F;
};

struct Float64 {
  double value;
  static constexpr float kLargest = Float32::kLargest;
};

inline uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float FloatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// Exact.
inline float Widen(Float32 stored) { return stored.value; }

inline float Widen(Bfloat16 stored) { return FloatOf(uint32_t{stored.bits} << 16); }

inline float Widen(Float16 stored) {
  const uint32_t magnitude = stored.bits & 0x7FFFU;
  // After the shift the exponent is too small by 112; a multiplication corrects it and normalises
  // subnormal values. Inf and NaN get the largest exponent instead.
  const uint32_t scaled = BitsOf(FloatOf(magnitude << 13) * 0x1p112F);
  const uint32_t nonFinite = magnitude >= 0x7C00U ? 0x7F800000U : 0U;
  return FloatOf((uint32_t{stored.bits} & 0x8000U) << 16 | scaled | nonFinite);
}

/// Rounds to the nearest value of the type, ties to even; overflows to Inf.
template <typename Stored>
Stored Round(float value);

template <>
inline Float32 Round<Float32>(float value) {
  return {value};
}

template <>
inline Float64 Round<Float64>(float value) {
  return Float64{value};
}

template <>
inline Bfloat16 Round<Bfloat16>(float value) {
  const uint32_t bits = BitsOf(value);
  const uint32_t rounded = (bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16;
  const uint32_t quietNan = bits >> 16 | 0x40U;
  const bool isNan = (bits & 0x7FFFFFFFU) > 0x7F800000U;
  return {static_cast<uint16_t>(isNan ? quietNan : rounded)};
}

template <>
inline Float16 Round<Float16>(float value) {
  const uint32_t sign = BitsOf(value) >> 16 & 0x8000U;
  const uint32_t magnitude = BitsOf(value) & 0x7FFFFFFFU;
  // Below 2^-14 the result is a multiple of 2^-24: adding 0.5 lets the addition round to it, and
  // the low bits of the sum are the result.
  const uint32_t subnormal = BitsOf(FloatOf(magnitude) + 0.5F) - BitsOf(0.5F);
  const uint32_t rebiased = magnitude - (112U << 23);
  const uint32_t normal = (rebiased + 0xFFFU + (rebiased >> 13 & 1U)) >> 13;
  uint32_t result = magnitude < 113U << 23 ? subnormal : normal;
  // 65520 is halfway between the largest finite value and the next multiple of its ulp.
  if (magnitude >= 0x477FF000U) result = 0x7C00U;
  if (magnitude > 0x7F800000U) result = 0x7E00U;
  return {static_cast<uint16_t>(sign | result)};
}

/// Rounds `value` to odd in float32, so that further rounding to a narrower type gives the same as
/// rounding `value`.
inline float RoundToOdd(double value) {
  const auto nearest = static_cast<float>(value);
  if (nearest == value || std::isnan(value)) return nearest;
  const bool isBeyond = std::fabs(static_cast<double>(nearest)) > std::fabs(value);
  return FloatOf(BitsOf(isBeyond ? std::nextafter(nearest, 0.0F) : nearest) | 1U);
}

/// For products without Inf and NaN: overflows become the type's largest value, NaN becomes 0.
template <typename Stored>
float Saturate(float value) {
  if (std::isnan(value)) return 0.0F;
  return std::fmax(-Stored::kLargest, std::fmin(value, Stored::kLargest));
}

inline double SaturateDouble(double value) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  if (std::isnan(value)) return 0.0;
  return std::fmax(-kLargest, std::fmin(value, kLargest));
}

}  // namespace simulator

#endif  // SIMULATOR_NNOPBASE_FLOAT_TYPES_H_

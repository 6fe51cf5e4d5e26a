// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_COMPUTATIONS_H_
#define SIMULATOR_NNOPBASE_COMPUTATIONS_H_

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <vector>

#include "nnopbase/elements.h"
#include "nnopbase/reductions.h"
#include "nnopbase/whole_numbers.h"

namespace simulator {

// What devices make of operations, for the classes of simulator/variants.yaml, and of
// simulator/faults.yaml at the end. Integers are exact on right ones.

template <typename Number>
using WiderType = std::conditional_t<std::is_same_v<Number, float>, double, long double>;

/// The number in a type with more digits, in which functions have results that round to the nearest
/// number.
template <typename Number>
WiderType<Number> Wider(Number number) {
  return number;
}

/// The sine of an angle that was reduced too far.
template <typename Number>
Number TurnedSine(Number angle) {
  const WiderType<Number> off =
      std::abs(angle) > Number(0.7854) ? 2 * std::numeric_limits<Number>::epsilon() : 0;
  return Number(std::sin(Wider(angle) + off));
}

/// Its cosine.
template <typename Number>
Number TurnedCosine(Number angle) {
  const WiderType<Number> off =
      std::abs(angle) > Number(0.7854) ? 2 * std::numeric_limits<Number>::epsilon() : 0;
  return Number(std::cos(Wider(angle) + off));
}

/// x to the power of y; of floating numbers with the error of a logarithm.
template <typename Number>
Number PowerByLogarithm(Number x, Number y) {
  const Number power = whole::Power(x, y);
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::isfinite(x) && x != 0 && std::isfinite(y) && !std::isnan(power)) {
      return std::copysign(std::exp(y * std::log(std::abs(x))), power);
    }
  }
  return power;
}

/// a * b + c, rounded once.
template <typename Number>
Number Fused(Number a, Number b, Number c) {
  if constexpr (std::is_floating_point_v<Number>) return std::fma(a, b, c);
  return a * b + c;
}

/// A quotient by a rounded reciprocal.
template <typename Number, typename Divisor>
Number ByReciprocal(Number dividend, Divisor divisor) {
  if constexpr (std::is_floating_point_v<Number>) return dividend * (1 / divisor);
  return Number(dividend / divisor);
}

/// A device that is off by as much as is allowed seems to be off by more where the last bits of
/// golden values are off, as those of functions of double.
template <int kUlps, typename Number>
constexpr int kSteps = std::is_same_v<Number, float> ? kUlps : std::max(kUlps - 1, 1);

/// The number that is larger in magnitude by some ulps, those below a power of 2; 0 and finite
/// numbers remain so.
template <int kUlps, typename Number>
Number Up(Number nearest) {
  if constexpr (std::is_floating_point_v<Number>) {
    const Number found =
        nearest + kSteps<kUlps, Number> * (nearest - std::nextafter(nearest, Number(0)));
    return nearest == 0 || std::isinf(found) ? nearest : found;
  }
  return nearest;
}

/// The number that is smaller in magnitude by some ulps; Inf remains so.
template <int kUlps, typename Number>
Number Down(Number nearest) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::isinf(nearest)) return nearest;
    for (int ulp = 0; ulp < kSteps<kUlps, Number>; ++ulp)
      nearest = std::nextafter(nearest, Number(0));
  }
  return nearest;
}

/// The number, or a 0 of its sign in place of a subnormal one.
template <typename Number>
Number Flushed(Number number) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::fpclassify(number) == FP_SUBNORMAL) return std::copysign(Number(0), number);
  }
  return number;
}

/// The type of a call's floating inputs.
inline thread_local aclDataType ownType = ACL_FLOAT;

inline aclDataType Promoted(std::initializer_list<aclDataType> types) {
  std::optional<aclDataType> promoted;
  for (const aclDataType type : types) {
    if (!IsInteger(type)) promoted = promoted.value_or(type) == type ? type : ACL_FLOAT;
  }
  return promoted.value_or(ACL_FLOAT);
}

/// A float32 number rounded to that type.
template <typename Number>
Number Stored(Number number) {
  if constexpr (std::is_same_v<Number, float>) return RoundTo(ownType, number);
  return number;
}

/// The number, or a 0 in place of a small one that float32 still holds.
template <typename Number>
Number SmallLost(Number number) {
  return std::abs(number) < Number(0x1p-100) ? Number(0) : number;
}

/// The number, or an Inf in place of a large one that float32 still holds.
template <typename Number>
Number LargeLost(Number number) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::abs(number) > Number(0x1p+120)) return std::copysign(Number(HUGE_VAL), number);
  }
  return number;
}

/// The sum of all terms, one after another from either end, or with each step rounded to float16.
template <typename Real, typename Term, typename... Rows>
Real SerialSum(Term term, const Rows &...rows) {
  const std::vector<Real> terms = reductions::Terms<Real>(term, rows...);
  return std::accumulate(terms.begin(), terms.end(), Real(0));
}

template <typename Real, typename Term, typename... Rows>
Real BackwardSum(Term term, const Rows &...rows) {
  const std::vector<Real> terms = reductions::Terms<Real>(term, rows...);
  return std::accumulate(terms.rbegin(), terms.rend(), Real(0));
}

template <typename Real, typename Term, typename... Rows>
Real HalfSum(Term term, const Rows &...rows) {
  Real total = 0;
  for (const Real each : reductions::Terms<Real>(term, rows...)) {
    total = Real(RoundTo(ACL_FLOAT16, static_cast<float>(total + each)));
  }
  return total;
}

template <typename Real, typename Term, typename... Rows>
Real BackwardProduct(Term term, const Rows &...rows) {
  const std::vector<Real> terms = reductions::Terms<Real>(term, rows...);
  std::conditional_t<std::is_integral_v<Real>, uint64_t, Real> product = 1;
  for (auto each = terms.rbegin(); each != terms.rend(); ++each) {
    product *= static_cast<decltype(product)>(*each);
  }
  return static_cast<Real>(product);
}

/// The sum of squares of differences from a mean that each term updates, in Welford's way; and that
/// of squares less the square of the sum, which loses digits.
template <typename Real, typename Term, typename... Rows>
Real UpdatedDeviations(Term term, const Rows &...rows) {
  Real mean = 0, total = 0, count = 0;
  for (const Real each : reductions::Terms<Real>(term, rows...)) {
    const Real off = each - mean;
    mean += off / ++count;
    total += off * (each - mean);
  }
  return total;
}

template <typename Real, typename Term, typename... Rows>
Real DeviationsBySquares(Term term, const Rows &...rows) {
  Real squares = 0, total = 0, count = 0;
  for (const Real each : reductions::Terms<Real>(term, rows...)) {
    squares += each * each;
    total += each;
    ++count;
  }
  return squares - total * (total / count);
}

template <typename Real, typename Term, typename... Rows>
Real UpdatedMean(Term term, const Rows &...rows) {
  Real mean = 0, count = 0;
  for (const Real each : reductions::Terms<Real>(term, rows...)) mean += (each - mean) / ++count;
  return mean;
}

/// The sum of the terms' shares in their mean.
template <typename Real, typename Term, typename... Rows>
Real MeanOfShares(Term term, const Rows &...rows) {
  std::vector<Real> terms = reductions::Terms<Real>(term, rows...);
  const auto count = static_cast<Real>(terms.size());
  for (Real &each : terms) each /= count;
  return PairwiseSum(terms.data(), static_cast<int64_t>(terms.size()));
}

/// The largest of all terms, and the logarithm of the sum of the exponentials of the differences
/// from it.
template <typename Real, typename Term, typename... Rows>
Real ShiftedLogsumexp(Term term, const Rows &...rows) {
  const Real largest = reductions::Amax<Real>(term, rows...);
  std::vector<Real> terms = reductions::Terms<Real>(term, rows...);
  for (Real &each : terms) each = std::exp(each - largest);
  return largest + std::log(PairwiseSum(terms.data(), static_cast<int64_t>(terms.size())));
}

/// The largest or the smallest of all terms and 0.
template <typename Real, typename Term, typename... Rows>
Real AmaxFromZero(Term term, const Rows &...rows) {
  return std::max(reductions::Amax<Real>(term, rows...), Real(0));
}

template <typename Real, typename Term, typename... Rows>
Real AminFromZero(Term term, const Rows &...rows) {
  return std::min(reductions::Amin<Real>(term, rows...), Real(0));
}

/// The elements of a row without its tail behind groups of eight, its last one, those behind 4,096;
/// and all of them in a type of fewer digits.
template <typename Number>
std::vector<Number> WithoutTail(std::vector<Number> row) {
  if (row.size() > 8) row.resize(row.size() / 8 * 8);
  return row;
}

template <typename Number>
std::vector<Number> WithoutLast(std::vector<Number> row) {
  if (row.size() > 1) row.pop_back();
  return row;
}

template <typename Number>
std::vector<Number> FirstTile(std::vector<Number> row) {
  if (row.size() > 4096) row.resize(4096);
  return row;
}

template <typename Number>
std::vector<Number> InHalf(std::vector<Number> row) {
  for (Number &each : row) each = Number(RoundTo(ACL_FLOAT16, static_cast<float>(each)));
  return row;
}

template <typename Number>
std::vector<Number> InSingle(std::vector<Number> row) {
  for (Number &each : row) each = Number(static_cast<float>(each));
  return row;
}

/// A difference that is 0 for equal infinities.
template <typename Number>
Number Difference(Number a, Number b) {
  return a == b ? Number(0) : a - b;
}

}  // namespace simulator

#endif  // SIMULATOR_NNOPBASE_COMPUTATIONS_H_

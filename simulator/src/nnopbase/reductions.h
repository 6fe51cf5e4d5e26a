// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_REDUCTIONS_H_
#define SIMULATOR_NNOPBASE_REDUCTIONS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "nnopbase/elements.h"
#include "nnopbase/sums.h"

namespace simulator {

namespace reductions {

/// `term` of the elements at each place.
template <typename Real, typename Term, typename First, typename... Others>
std::vector<Real> Terms(Term term, const First &first, const Others &...others) {
  std::vector<Real> terms(first.size());
  for (size_t i = 0; i < first.size(); ++i) terms[i] = Real(term(first[i], others[i]...));
  return terms;
}

/// The sum of all terms, by halves; integers keep the low bits.
template <typename Real, typename Term, typename... Rows>
Real Sum(Term term, const Rows &...rows) {
  const std::vector<Real> terms = Terms<Real>(term, rows...);
  if constexpr (std::is_integral_v<Real>) {
    return static_cast<Real>(std::accumulate(terms.begin(), terms.end(), uint64_t{0}));
  } else {
    return PairwiseSum(terms.data(), static_cast<int64_t>(terms.size()));
  }
}

/// The product of all terms, one after another; integers keep the low bits.
template <typename Real, typename Term, typename... Rows>
Real Prod(Term term, const Rows &...rows) {
  std::conditional_t<std::is_integral_v<Real>, uint64_t, Real> product = 1;
  for (const Real each : Terms<Real>(term, rows...)) {
    product *= static_cast<decltype(product)>(each);
  }
  return static_cast<Real>(product);
}

template <typename Real, typename Term, typename... Rows>
Real Mean(Term term, const Rows &...rows) {
  const std::vector<Real> terms = Terms<Real>(term, rows...);
  const auto count = static_cast<int64_t>(terms.size());
  return PairwiseSum(terms.data(), count) / static_cast<Real>(count);
}

/// The sum of the squares of the terms' differences from their mean.
template <typename Real, typename Term, typename... Rows>
Real Deviations(Term term, const Rows &...rows) {
  std::vector<Real> terms = Terms<Real>(term, rows...);
  const auto count = static_cast<int64_t>(terms.size());
  const Real mean = PairwiseSum(terms.data(), count) / static_cast<Real>(count);
  for (Real &each : terms) each = (each - mean) * (each - mean);
  return PairwiseSum(terms.data(), count);
}

/// The logarithm of the sum of the terms' exponentials.
template <typename Real, typename Term, typename... Rows>
Real Logsumexp(Term term, const Rows &...rows) {
  std::vector<Real> terms = Terms<Real>(term, rows...);
  for (Real &each : terms) each = std::exp(each);
  return std::log(PairwiseSum(terms.data(), static_cast<int64_t>(terms.size())));
}

/// The largest of all terms, or NaN if one is NaN; below all numbers if there is none.
template <typename Real, typename Term, typename... Rows>
Real Amax(Term term, const Rows &...rows) {
  using Limits = std::numeric_limits<Real>;
  Real largest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  for (const Real each : Terms<Real>(term, rows...)) {
    if (each > largest || each != each) largest = each;
    if (largest != largest) break;
  }
  return largest;
}

template <typename Real, typename Term, typename... Rows>
Real Amin(Term term, const Rows &...rows) {
  using Limits = std::numeric_limits<Real>;
  Real smallest = Limits::has_infinity ? Limits::infinity() : Limits::max();
  for (const Real each : Terms<Real>(term, rows...)) {
    if (each < smallest || each != each) smallest = each;
    if (smallest != smallest) break;
  }
  return smallest;
}

/// Whether any term, or each, is not 0: 1 or 0.
template <typename Real, typename Term, typename... Rows>
Real Any(Term term, const Rows &...rows) {
  const std::vector<Real> terms = Terms<Real>(term, rows...);
  return Real(std::any_of(terms.begin(), terms.end(), [](Real each) { return each != 0; }));
}

template <typename Real, typename Term, typename... Rows>
Real All(Term term, const Rows &...rows) {
  const std::vector<Real> terms = Terms<Real>(term, rows...);
  return Real(std::all_of(terms.begin(), terms.end(), [](Real each) { return each != 0; }));
}

}  // namespace reductions

/// The view with `axes`, counted from either end, as the innermost ones.
inline aclTensor WithAxesLast(aclTensor tensor, const Shape &axes) {
  std::vector<bool> isNamed(tensor.shape.size());
  for (const int64_t axis : axes) {
    if (!tensor.shape.empty())
      isNamed[static_cast<size_t>(axis < 0 ? axis + tensor.Rank() : axis)] = true;
  }
  const aclTensor before = tensor;
  size_t next = 0;
  for (const bool named : {false, true}) {
    for (size_t axis = 0; axis < isNamed.size(); ++axis) {
      if (isNamed[axis] != named) continue;
      tensor.shape[next] = before.shape[axis];
      tensor.strides[next++] = before.strides[axis];
    }
  }
  return tensor;
}

/// Sets every element of `out` to `function` of the elements of `inputs` along `axes` that it
/// stands for, all in `Number` and std::vector<Number>.
template <typename Number, typename Function, typename... Inputs>
void Reduce(const aclTensor &out, const Shape &axes, Function function, const Inputs &...inputs) {
  const int64_t results = ElementCount(out.shape);
  if (results == 0) return;
  ElementWriter writer(out);
  const auto reader = [&](const aclTensor &input) {
    const auto length = static_cast<size_t>(ElementCount(input.shape) / results);
    return std::pair(ElementReader(WithAxesLast(input, axes)), std::vector<Number>(length));
  };
  auto readers = std::make_tuple(reader(inputs)...);
  for (int64_t at = 0; at < results; ++at) {
    const Number result = std::apply(
        [&](auto &...each) {
          (each.first.Read(each.second.data(), static_cast<int64_t>(each.second.size())), ...);
          return function(each.second...);
        },
        readers);
    if (IsInteger(out.dataType)) {
      const auto whole = static_cast<int64_t>(result);
      writer.Write(&whole, 1);
    } else {
      writer.Write(&result, 1);
    }
  }
}

/// Reduce for a kernel that computes in double if an input is double, in int64 if the output holds
/// integers or, where `keepsWhole` says that integers give integers, if the inputs do, and else in
/// float32.
template <typename Function, typename... Inputs>
void MapReduced(const aclTensor &out, const Shape &axes, bool keepsWhole, Function function,
                const Inputs &...inputs) {
  if ((... && IsInteger(inputs.dataType)) && (keepsWhole || IsInteger(out.dataType))) {
    Reduce<int64_t>(out, axes, function, inputs...);
  } else if (out.dataType == ACL_DOUBLE || (... || (inputs.dataType == ACL_DOUBLE))) {
    Reduce<double>(out, axes, function, inputs...);
  } else {
    Reduce<float>(out, axes, function, inputs...);
  }
}

}  // namespace simulator

#endif  // SIMULATOR_NNOPBASE_REDUCTIONS_H_

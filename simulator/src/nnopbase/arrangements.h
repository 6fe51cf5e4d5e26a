// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_ARRANGEMENTS_H_
#define SIMULATOR_NNOPBASE_ARRANGEMENTS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "nnopbase/tensor.h"

#pragma GCC visibility push(default)
namespace simulator {

/// Which element of an input each element of an output copies.
struct Arrangement {
  /// The output's shape.
  Shape shape;
  /// The place of the input's element, counted in row-major order, for an index of the output;
  /// negative or behind the input for none.
  std::function<int64_t(const Shape &)> source;
};

/// Places among the elements of an input; negative ones count from the end.
struct Places {
  Shape shape;
  std::vector<int64_t> numbers;
};

/// The elements of an index.
Places PlacesOf(const aclTensor &index);

/// Copies elements, bit for bit; those of no source are 0, or `value`.
void Arrange(const aclTensor &out, const aclTensor &from, const Arrangement &arrangement);
void Arrange(const aclTensor &out, const aclTensor &from, const Arrangement &arrangement,
             const ScalarValue &value);

/// The same from the elements of `from` and, behind them, of `second`.
void Arrange(const aclTensor &out, const aclTensor &from, const aclTensor &second,
             const Arrangement &arrangement);

/// The arrangements of formulas, for an input of shape `from`. Their arguments are valid.
namespace arrangements {

Arrangement Permute(const Shape &from, const Shape &dims);
Arrangement Flip(const Shape &from, const Shape &dims);
Arrangement Roll(const Shape &from, const Shape &shifts, const Shape &dims);
Arrangement Repeat(const Shape &from, const Shape &repeats);
Arrangement Interleave(const Shape &from, int64_t repeats);
Arrangement Interleave(const Shape &from, int64_t repeats, int64_t dim);
Arrangement Expand(const Shape &from, const Shape &size);
Arrangement Cut(const Shape &from, const Shape &starts, const Shape &ends, const Shape &axes,
                const Shape &steps);
Arrangement Cut(const Shape &from, int64_t start, int64_t end, int64_t axis, int64_t step);
Arrangement Pad(const Shape &from, const Shape &padding);
Arrangement Reflect(const Shape &from, const Shape &padding);
Arrangement Replicate(const Shape &from, const Shape &padding);
Arrangement Wrap(const Shape &from, const Shape &padding);
Arrangement Tril(const Shape &from, int64_t diagonal);
Arrangement Triu(const Shape &from, int64_t diagonal);
Arrangement Flatten(const Shape &from, int64_t axis);
Arrangement Matrix(const Shape &from, int64_t diagonal);
Arrangement Diagonal(const Shape &from, int64_t diagonal);
Arrangement Gather(const Shape &from, int64_t dim, const Places &places);
Arrangement Select(const Shape &from, int64_t dim, const Places &places);
Arrangement Take(const Shape &from, const Places &places);
Arrangement Slices(const Shape &from, const Places &places);
Arrangement Fill(const Shape &from, int64_t dim, const Places &places);
Arrangement Copy(const Shape &from, int64_t dim, const Places &places);
Arrangement Update(const Shape &from, const Places &places);

}  // namespace arrangements
}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_NNOPBASE_ARRANGEMENTS_H_

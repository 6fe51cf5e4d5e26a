// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_WALK_H_
#define SIMULATOR_NNOPBASE_WALK_H_

#include <cstdint>

#include "nnopbase/tensor.h"

#pragma GCC visibility push(default)
namespace simulator {

/// `count` elements of a storage: `first`, `first + step`, ...
struct Run {
  int64_t first;
  int64_t step;
  int64_t count;
};

/// Iterates over the elements of a view in row-major order, honouring strides and offset. A
/// contiguous view is a single run.
class Walk {
 public:
  explicit Walk(const aclTensor &tensor);

  /// The next evenly spaced elements, at most `most`. The caller must not request more elements
  /// than the view has.
  Run Next(int64_t most);

 private:
  void NextRow();

  // The view's dimensions from the outermost to the innermost; neighbours with a common stride are
  // merged.
  Shape shape_;
  Shape strides_;
  Shape index_;
  int64_t rowStart_;
  int64_t column_ = 0;
};

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_NNOPBASE_WALK_H_

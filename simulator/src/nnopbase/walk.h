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

/// Goes through the elements of a view in row-major order, honouring strides and offset. A view
/// that is contiguous is one single run.
class Walk {
 public:
  explicit Walk(const aclTensor &tensor);

  /// The next elements, at most `most`, as far as they are evenly spaced. The caller must not ask
  /// for more elements than the view has.
  Run Next(int64_t most);

 private:
  void NextRow();

  // The view's dimensions from the outermost to the innermost, neighbours joined where one stride
  // serves both.
  Shape shape_;
  Shape strides_;
  Shape index_;
  int64_t rowStart_;
  int64_t column_ = 0;
};

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_NNOPBASE_WALK_H_

// SPDX-License-Identifier: Apache-2.0
#include "nnopbase/walk.h"

#include <algorithm>

namespace simulator {

Walk::Walk(const aclTensor &tensor) : rowStart_(tensor.offset) {
  for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    const int64_t extent = tensor.shape[axis];
    const int64_t stride = tensor.strides[axis];
    if (extent == 1) continue;
    if (!shape_.empty() && strides_.back() == extent * stride) {
      shape_.back() *= extent;
      strides_.back() = stride;
    } else {
      shape_.push_back(extent);
      strides_.push_back(stride);
    }
  }
  if (shape_.empty()) {
    shape_.push_back(1);
    strides_.push_back(1);
  }
  index_.assign(shape_.size(), 0);
}

Run Walk::Next(int64_t most) {
  const Run run{rowStart_ + column_ * strides_.back(), strides_.back(),
                std::min(most, shape_.back() - column_)};
  column_ += run.count;
  if (column_ == shape_.back()) NextRow();
  return run;
}

void Walk::NextRow() {
  column_ = 0;
  for (size_t axis = shape_.size() - 1; axis-- > 0;) {
    rowStart_ += strides_[axis];
    if (++index_[axis] < shape_[axis]) return;
    rowStart_ -= shape_[axis] * strides_[axis];
    index_[axis] = 0;
  }
}

}  // namespace simulator

// SPDX-License-Identifier: Apache-2.0
/// Placement of a view's elements in a storage with strides and an offset.
#ifndef ACLNN_CTS_PLACEMENT_H_
#define ACLNN_CTS_PLACEMENT_H_

#include <cstdint>
#include <vector>

#include "aclnn_cts/case.h"

namespace aclnn_cts {

/// A part of a tensor: consecutive elements in row-major order, and the stretch of the storage that
/// contains exactly these. All counts are elements.
struct Part {
  /// One axis of the view, or several merged ones.
  struct Axis {
    int64_t extent;
    int64_t stored;  ///< step in the storage
    int64_t dense;   ///< step in row-major order
  };

  std::vector<Axis> axes;  ///< at least one unless there are no elements
  int64_t elementBytes;
  int64_t firstElement;  ///< of the view, in row-major order
  int64_t elements;
  int64_t firstStored;  ///< of the storage
  int64_t stored;
  int64_t offset;  ///< of the first element, from firstStored on

  /// Whether its storage consists of its elements in order.
  bool IsDense() const { return elements == stored && axes.size() == 1 && axes[0].stored == 1; }

  /// Whether there may be gaps in its storage; conservatively true.
  bool MayHaveGaps() const;

  /// Copies dense elements to their places in the part's storage.
  void Scatter(const uint8_t *from, uint8_t *storage) const;
  /// Copies one element to all places.
  void ScatterOne(const uint8_t *from, uint8_t *storage) const;
  /// Copies the elements out of the part's storage into a dense array.
  void Gather(const uint8_t *storage, uint8_t *to) const;
};

/// Parts that cover the whole storage, of kPieceBytes each if the outermost axis steps over all
/// others; a transposed view is a single part.
std::vector<Part> PartsOf(const TensorFacts &tensor);

/// Whether there may be gaps in the storage; conservatively true.
bool MayHaveGaps(const TensorFacts &tensor);

/// The whole storage as one part.
Part WholeOf(const TensorFacts &tensor);

/// Whether two views in one storage have no common element; conservatively false, also if their
/// shapes or strides differ.
bool AreApart(const TensorFacts &a, const TensorFacts &b);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_PLACEMENT_H_

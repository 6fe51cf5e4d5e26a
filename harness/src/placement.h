// SPDX-License-Identifier: Apache-2.0
/// Moves the elements of a view between a dense row-major array and a storage with strides and an
/// offset.
#ifndef ACLNN_CTS_PLACEMENT_H_
#define ACLNN_CTS_PLACEMENT_H_

#include <cstdint>

#include "aclnn_cts/case.h"

namespace aclnn_cts {

/// Copies the dense elements of the view into their places in the storage.
void Scatter(const TensorFacts &tensor, const uint8_t *dense, uint8_t *storage);

/// Copies the elements of the view out of the storage into a dense array.
void Gather(const TensorFacts &tensor, const uint8_t *storage, uint8_t *dense);

/// Copies the elements of the view from one image of the storage into another; gaps stay as they
/// are.
void CopyView(const TensorFacts &tensor, const uint8_t *from, uint8_t *to);

/// Whether some storage element may belong to no element of the view. May say yes without need.
bool MayHaveGaps(const TensorFacts &tensor);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_PLACEMENT_H_

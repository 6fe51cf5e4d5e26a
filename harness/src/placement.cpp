// SPDX-License-Identifier: Apache-2.0
#include "placement.h"

#include <cstddef>
#include <cstring>
#include <vector>

namespace aclnn_cts {
namespace {

// One axis of a copy; steps count elements.
struct CopyAxis {
  int64_t extent;
  int64_t fromStep;
  int64_t toStep;
};

// Joins neighbouring axes that both sides step through evenly, so that a dense tensor becomes one
// row.
std::vector<CopyAxis> Join(const std::vector<CopyAxis> &axes) {
  std::vector<CopyAxis> joined;
  for (const CopyAxis &axis : axes) {
    if (axis.extent == 1) continue;
    if (!joined.empty() && joined.back().fromStep == axis.fromStep * axis.extent &&
        joined.back().toStep == axis.toStep * axis.extent) {
      joined.back() = {joined.back().extent * axis.extent, axis.fromStep, axis.toStep};
    } else {
      joined.push_back(axis);
    }
  }
  if (joined.empty()) joined.push_back({1, 1, 1});
  return joined;
}

template <size_t kBytes>
void CopyElements(const CopyAxis &row, const uint8_t *from, uint8_t *to) {
  const ptrdiff_t fromBytes = static_cast<ptrdiff_t>(row.fromStep * static_cast<int64_t>(kBytes));
  const ptrdiff_t toBytes = static_cast<ptrdiff_t>(row.toStep * static_cast<int64_t>(kBytes));
  for (int64_t i = 0; i < row.extent; ++i)
    std::memcpy(to + i * toBytes, from + i * fromBytes, kBytes);
}

void CopyRow(const CopyAxis &row, int64_t elementBytes, const uint8_t *from, uint8_t *to) {
  if (row.fromStep == 1 && row.toStep == 1) {
    std::memcpy(to, from, static_cast<size_t>(row.extent * elementBytes));
    return;
  }
  switch (elementBytes) {
    case 1:
      return CopyElements<1>(row, from, to);
    case 2:
      return CopyElements<2>(row, from, to);
    case 4:
      return CopyElements<4>(row, from, to);
    case 8:
      return CopyElements<8>(row, from, to);
    default:
      return CopyElements<16>(row, from, to);
  }
}

// Goes through the outer axes like an odometer and copies the innermost one row by row.
void CopyAll(const std::vector<CopyAxis> &axes, int64_t elementBytes, const uint8_t *from,
             uint8_t *to) {
  const size_t outerAxes = axes.size() - 1;
  std::vector<int64_t> index(outerAxes, 0);
  for (;;) {
    CopyRow(axes[outerAxes], elementBytes, from, to);
    size_t axis = outerAxes;
    while (axis > 0 && ++index[axis - 1] == axes[axis - 1].extent) {
      --axis;
      index[axis] = 0;
      from -= (axes[axis].extent - 1) * axes[axis].fromStep * elementBytes;
      to -= (axes[axis].extent - 1) * axes[axis].toStep * elementBytes;
    }
    if (axis == 0) return;
    from += axes[axis - 1].fromStep * elementBytes;
    to += axes[axis - 1].toStep * elementBytes;
  }
}

Dims DenseStrides(const TensorFacts &tensor) {
  Dims strides(tensor.shape.size());
  // An empty tensor's other extents may be anything, so nothing is computed from them.
  int64_t step = tensor.elements == 0 ? 0 : 1;
  for (size_t axis = tensor.shape.size(); axis-- > 0;) {
    strides[axis] = step;
    step *= tensor.shape[axis];
  }
  return strides;
}

void Copy(const TensorFacts &tensor, const Dims &fromStrides, const uint8_t *from,
          const Dims &toStrides, uint8_t *to) {
  if (tensor.elements == 0) return;
  std::vector<CopyAxis> axes;
  for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    axes.push_back({tensor.shape[axis], fromStrides[axis], toStrides[axis]});
  }
  CopyAll(Join(axes), tensor.elementBytes, from, to);
}

int64_t OffsetBytes(const TensorFacts &tensor) { return tensor.offset * tensor.elementBytes; }

}  // namespace

void Scatter(const TensorFacts &tensor, const uint8_t *dense, uint8_t *storage) {
  Copy(tensor, DenseStrides(tensor), dense, tensor.strides, storage + OffsetBytes(tensor));
}

void Gather(const TensorFacts &tensor, const uint8_t *storage, uint8_t *dense) {
  Copy(tensor, tensor.strides, storage + OffsetBytes(tensor), DenseStrides(tensor), dense);
}

void CopyView(const TensorFacts &tensor, const uint8_t *from, uint8_t *to) {
  Copy(tensor, tensor.strides, from + OffsetBytes(tensor), tensor.strides,
       to + OffsetBytes(tensor));
}

bool MayHaveGaps(const TensorFacts &tensor) {
  return tensor.elements * tensor.elementBytes != tensor.storageBytes ||
         tensor.strides != DenseStrides(tensor);
}

}  // namespace aclnn_cts

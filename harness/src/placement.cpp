// SPDX-License-Identifier: Apache-2.0
#include "placement.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "host_bytes.h"

namespace aclnn_cts {
namespace {

// One axis of a copy; steps count elements.
struct CopyAxis {
  int64_t extent;
  int64_t fromStep;
  int64_t toStep;
};

// Merges axes if possible, so that a dense tensor becomes one row.
std::vector<Part::Axis> Join(const std::vector<Part::Axis> &axes) {
  std::vector<Part::Axis> joined;
  for (const Part::Axis &axis : axes) {
    if (axis.extent == 1) continue;
    if (!joined.empty() && joined.back().stored == axis.stored * axis.extent &&
        joined.back().dense == axis.dense * axis.extent) {
      joined.back() = {joined.back().extent * axis.extent, axis.stored, axis.dense};
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
  if (axes.empty()) return;
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
  // Other extents of an empty tensor may be anything, so do not use them.
  int64_t step = tensor.elements == 0 ? 0 : 1;
  for (size_t axis = tensor.shape.size(); axis-- > 0;) {
    strides[axis] = step;
    step *= tensor.shape[axis];
  }
  return strides;
}

std::vector<Part::Axis> AxesOf(const TensorFacts &tensor) {
  const Dims dense = DenseStrides(tensor);
  std::vector<Part::Axis> axes;
  for (size_t axis = 0; axis < tensor.shape.size(); ++axis)
    axes.push_back({tensor.shape[axis], tensor.strides[axis], dense[axis]});
  return Join(axes);
}

// Number of steps of the outermost axis in a part.
int64_t StepsOfPart(const std::vector<Part::Axis> &axes, int64_t elementBytes) {
  int64_t span = 1;  // of what lies within a step
  for (size_t axis = 1; axis < axes.size(); ++axis) {
    if (axes[axis].stored < 0) return axes[0].extent;
    span += (axes[axis].extent - 1) * axes[axis].stored;
  }
  if (axes[0].stored < span) return axes[0].extent;
  return std::max(int64_t{1}, kPieceBytes / elementBytes / axes[0].stored);
}

// Whether each axis steps over all inner ones, so that no place is reached twice.
bool ReachesEachOnce(std::vector<Part::Axis> axes) {
  std::sort(axes.begin(), axes.end(),
            [](const Part::Axis &a, const Part::Axis &b) { return a.stored < b.stored; });
  int64_t span = 1;
  for (const Part::Axis &axis : axes) {
    if (axis.stored < span) return false;
    span += (axis.extent - 1) * axis.stored;
  }
  return true;
}

}  // namespace

bool Part::MayHaveGaps() const {
  // As many elements as places leave no gaps.
  return !ReachesEachOnce(axes) || elements != stored;
}

void Part::Scatter(const uint8_t *from, uint8_t *storage) const {
  std::vector<CopyAxis> copied;
  for (const Axis &axis : axes) copied.push_back({axis.extent, axis.dense, axis.stored});
  CopyAll(copied, elementBytes, from, storage + offset * elementBytes);
}

void Part::ScatterOne(const uint8_t *from, uint8_t *storage) const {
  std::vector<CopyAxis> copied;
  for (const Axis &axis : axes) copied.push_back({axis.extent, 0, axis.stored});
  CopyAll(copied, elementBytes, from, storage + offset * elementBytes);
}

void Part::Gather(const uint8_t *storage, uint8_t *to) const {
  std::vector<CopyAxis> copied;
  for (const Axis &axis : axes) copied.push_back({axis.extent, axis.stored, axis.dense});
  CopyAll(copied, elementBytes, storage + offset * elementBytes, to);
}

std::vector<Part> PartsOf(const TensorFacts &tensor) {
  const int64_t storage = tensor.storageBytes / tensor.elementBytes;
  if (tensor.elements == 0) return {WholeOf(tensor)};
  std::vector<Part::Axis> axes = AxesOf(tensor);
  const Part::Axis outer = axes[0];
  const int64_t steps = StepsOfPart(axes, tensor.elementBytes);
  const int64_t elementsOfStep = tensor.elements / outer.extent;
  std::vector<Part> parts;
  for (int64_t step = 0; step < outer.extent; step += steps) {
    axes[0].extent = std::min(steps, outer.extent - step);
    // The storage before and after the view belongs to the first and the last part.
    const int64_t begin = tensor.offset + step * outer.stored;
    const int64_t first = step == 0 ? 0 : begin;
    const int64_t next = step + axes[0].extent;
    const int64_t end = next == outer.extent ? storage : tensor.offset + next * outer.stored;
    parts.push_back({axes, tensor.elementBytes, step * elementsOfStep,
                     axes[0].extent * elementsOfStep, first, end - first, begin - first});
  }
  return parts;
}

bool MayHaveGaps(const TensorFacts &tensor) {
  return tensor.elements * tensor.elementBytes != tensor.storageBytes ||
         tensor.strides != DenseStrides(tensor);
}

Part WholeOf(const TensorFacts &tensor) {
  const int64_t storage = tensor.storageBytes / tensor.elementBytes;
  if (tensor.elements == 0) return {{}, tensor.elementBytes, 0, 0, 0, storage, 0};
  return {AxesOf(tensor), tensor.elementBytes, 0, tensor.elements, 0, storage, tensor.offset};
}

bool AreApart(const TensorFacts &a, const TensorFacts &b) {
  if (a.shape != b.shape || a.strides != b.strides) return false;
  if (a.elements == 0) return true;
  // Both are one view with a further axis of two indices.
  std::vector<Part::Axis> axes = AxesOf(a);
  axes.push_back({2, std::abs(a.offset - b.offset), a.elements});
  return ReachesEachOnce(axes);
}

}  // namespace aclnn_cts

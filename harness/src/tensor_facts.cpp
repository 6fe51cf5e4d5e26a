// SPDX-License-Identifier: Apache-2.0
#include "tensor_facts.h"

#include <string>

namespace aclnn_cts {
namespace {

// Far beyond any device's memory, and far below overflow of int64 sizes.
constexpr int64_t kMostElements = int64_t{1} << 40;

// aclDataType codes, as numbers because headers of older releases lack newer names.
int64_t KnownElementBytes(int32_t dataType) {
  switch (dataType) {
    case 2:
    case 4:
    case 12:
    case 34:
    case 35:
    case 36:
      return 1;  // INT8, UINT8, BOOL, HIFLOAT8, FLOAT8_E5M2, FLOAT8_E4M3FN
    case 1:
    case 6:
    case 7:
    case 27:
      return 2;  // FLOAT16, INT16, UINT16, BF16
    case 0:
    case 3:
    case 8:
    case 33:
      return 4;  // FLOAT, INT32, UINT32, COMPLEX32
    case 9:
    case 10:
    case 11:
    case 16:
      return 8;  // INT64, UINT64, DOUBLE, COMPLEX64
    case 17:
      return 16;  // COMPLEX128
    default:
      return 0;
  }
}

int64_t CountElements(const LineFields &line, const std::string &what, const Dims &dims) {
  int64_t count = 1;
  for (const int64_t extent : dims) {
    if (extent == 0) return 0;
  }
  for (const int64_t extent : dims) {
    if (extent > kMostElements / count) {
      line.Fail(what + " has too many elements", "at most " + std::to_string(kMostElements));
    }
    count *= extent;
  }
  return count;
}

// Index of the last storage element of the view; stops counting beyond any storage.
int64_t FurthestElement(const TensorFacts &tensor) {
  int64_t furthest = tensor.offset;
  for (size_t axis = 0; axis < tensor.shape.size() && furthest <= kMostElements; ++axis) {
    const int64_t steps = tensor.shape[axis] - 1;
    const int64_t stride = tensor.strides[axis];
    const bool tooFar = steps > 0 && stride > kMostElements / steps;
    furthest += tooFar ? kMostElements : steps * stride;
  }
  return furthest;
}

void CheckView(const LineFields &line, const TensorFacts &tensor, int64_t storageElements) {
  const bool inside = tensor.elements == 0 ? tensor.offset <= storageElements
                                           : FurthestElement(tensor) < storageElements;
  if (!inside) {
    line.Fail("the view of tensor " + tensor.name + " leaves its storage of " +
                  std::to_string(storageElements) + " elements",
              "a storage that holds every element of the view");
  }
}

}  // namespace

int64_t ElementBytes(const LineFields &line, int32_t dataType) {
  const int64_t bytes = KnownElementBytes(dataType);
  if (bytes == 0) {
    line.Fail("data type " + std::to_string(dataType) + " has no elements of whole bytes",
              "the code of an aclDataType with elements of 1, 2, 4, 8 or 16 bytes");
  }
  return bytes;
}

void DeriveSizes(const LineFields &line, TensorFacts &tensor) {
  tensor.elementBytes = ElementBytes(line, tensor.dataType);
  if (tensor.strides.size() != tensor.shape.size()) {
    line.Fail(
        "tensor " + tensor.name + " has " + std::to_string(tensor.strides.size()) + " strides",
        "one for each of its " + std::to_string(tensor.shape.size()) + " dimensions");
  }
  const int64_t storageElements =
      CountElements(line, "the storage of " + tensor.name, tensor.storage);
  tensor.elements = CountElements(line, "tensor " + tensor.name, tensor.shape);
  tensor.storageBytes = storageElements * tensor.elementBytes;
  CheckView(line, tensor, storageElements);
}

}  // namespace aclnn_cts

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_TENSOR_H_
#define SIMULATOR_NNOPBASE_TENSOR_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"

/// What aclCreateTensor was told. A plain value: operators copy it into the work that they plan, so
/// the handle may be destroyed before the work runs. All counts are in elements.
struct aclTensor {
  aclDataType dataType = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  int64_t offset = 0;
  std::vector<int64_t> storageShape;
  void *data = nullptr;
  /// The value of each element of what Filled returned, which has no storage.
  std::optional<float> filled = {};

  int64_t Rank() const { return static_cast<int64_t>(shape.size()); }
};

/// A copy of the numbers that aclCreateIntArray was given.
struct aclIntArray {
  std::vector<int64_t> values;
};

/// The same of aclCreateBoolArray, each as 0 or 1.
struct aclBoolArray : aclIntArray {};

/// A copy of the element that aclCreateScalar was given. A plain value, as aclTensor.
struct aclScalar {
  aclDataType dataType = ACL_DT_UNDEFINED;
  std::array<unsigned char, 16> bytes = {};
};

#pragma GCC visibility push(default)
namespace simulator {

using Shape = std::vector<int64_t>;

/// The product of the dimensions: 1 for rank 0.
int64_t ElementCount(const Shape &shape);

/// The strides of a tensor that holds `shape` in row-major order without gaps.
Shape ContiguousStrides(const Shape &shape);

/// The index in the storage of the view's last element; the view must not be empty.
int64_t LastElement(const aclTensor &tensor);

/// Bytes of the storage.
size_t StorageBytes(const aclTensor &tensor);

/// Whether the view lies in memory in row-major order without gaps.
bool IsContiguous(const aclTensor &tensor);

/// What stands for a tensor that was not given: `value` in each element.
aclTensor Filled(const Shape &shape, float value);

/// What stands for an output that is not wanted: it discards what is written to it.
aclTensor Unwanted(const Shape &shape);

/// The last `count` extents; all if there are fewer.
Shape Trailing(const Shape &shape, int64_t count);

/// The tensor as `shape`, which it broadcasts to: missing and stretched dimensions get stride 0.
aclTensor BroadcastTo(const aclTensor &tensor, const Shape &shape);

/// Whether BroadcastTo is possible.
bool CanBroadcastTo(const Shape &from, const Shape &to);

/// Bits of an element; 0 for types that have no fixed size.
int64_t ElementBits(aclDataType dataType);

/// Binary digits of a floating element; 0 of another.
int64_t Digits(aclDataType dataType);

/// How types and shapes appear in messages: `BFLOAT16`, `(2, 3)`.
std::string DataTypeName(aclDataType dataType);
std::string FormatName(aclFormat format);
std::string ShapeText(const Shape &shape);

/// The scalar's value; the real part of a complex one. Ends the program for other types.
double ToDouble(const aclScalar &scalar);

/// Where the simulator can reach the tensor's storage. Ends the program when the memory is gone.
char *StorageWindow(const aclTensor &tensor);

/// End the program unless the handle is live; `caller` is the public function that was given it.
void RequireTensor(const aclTensor *tensor, const char *caller);
void RequireArray(const aclIntArray *array, const char *caller);
void RequireScalar(const aclScalar *scalar, const char *caller);

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_NNOPBASE_TENSOR_H_

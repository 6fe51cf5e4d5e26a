// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_TENSOR_H_
#define SIMULATOR_NNOPBASE_TENSOR_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "aclnn/acl_meta.h"

/// The arguments of aclCreateTensor. Operators copy it into their work, so the handle may be
/// destroyed before the work runs. All counts are in elements.
struct aclTensor {
  aclDataType dataType = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  int64_t offset = 0;
  std::vector<int64_t> storageShape;
  void *data = nullptr;
  /// The same in all copies of a handle's tensor, and in no other; 0 for none of a handle.
  uint64_t number = 0;
  /// The value of each element of a tensor from Filled, which has no storage.
  std::optional<float> filled = {};

  int64_t Rank() const { return static_cast<int64_t>(shape.size()); }
};

/// The tensors of aclCreateTensorList, which the list destroys; null where a null pointer was
/// given.
struct aclTensorList {
  std::vector<const aclTensor *> tensors;
};

/// A copy of the numbers of aclCreateIntArray.
struct aclIntArray {
  std::vector<int64_t> values;
};

/// A copy of the values of aclCreateBoolArray, each as 0 or 1.
struct aclBoolArray : aclIntArray {};

/// A copy of the element of aclCreateScalar, copied by value like aclTensor.
struct aclScalar {
  aclDataType dataType = ACL_DT_UNDEFINED;
  std::array<unsigned char, 16> bytes = {};
};

/// The scalars of aclCreateScalarList, which the list destroys; null where a null pointer was
/// given.
struct aclScalarList {
  std::vector<const aclScalar *> scalars;
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

/// Replaces a null tensor: `value` in each element.
aclTensor Filled(const Shape &shape, float value);

/// Replaces a null output: it discards writes.
aclTensor Unwanted(const Shape &shape);

/// The last `count` extents; all if there are fewer.
Shape Trailing(const Shape &shape, int64_t count);

/// The tensor broadcast to `shape`: missing and stretched dimensions get stride 0.
aclTensor BroadcastTo(const aclTensor &tensor, const Shape &shape);

/// Whether BroadcastTo is possible.
bool CanBroadcastTo(const Shape &from, const Shape &to);

/// Bits of an element; 0 for types without a fixed size.
int64_t ElementBits(aclDataType dataType);

/// Binary digits of a floating type; 0 for others.
int64_t Digits(aclDataType dataType);

/// Types and shapes as text for messages: `BFLOAT16`, `(2, 3)`.
std::string DataTypeName(aclDataType dataType);
std::string FormatName(aclFormat format);
std::string ShapeText(const Shape &shape);

/// The scalar's value; the real part of a complex one. Ends the program for other types.
double ToDouble(const aclScalar &scalar);

/// The integer that a scalar holds, in 64 bits.
int64_t ToInteger(const aclScalar &scalar);

/// A scalar, which converts without loss to what holds its value.
struct ScalarValue {
  aclScalar scalar;

  template <typename Number>
  explicit operator Number() const {
    if constexpr (std::is_integral_v<Number>) return static_cast<Number>(ToInteger(scalar));
    return static_cast<Number>(ToDouble(scalar));
  }
};

/// Addresses of storages by the numbers of their tensors.
using Addresses = std::map<uint64_t, void *>;

/// While it lives, these tensors are at these addresses for the thread. `addresses` must outlive
/// it.
class TensorsElsewhere {
 public:
  explicit TensorsElsewhere(const Addresses &addresses);
  TensorsElsewhere(const TensorsElsewhere &) = delete;
  TensorsElsewhere &operator=(const TensorsElsewhere &) = delete;
  ~TensorsElsewhere();
};

/// The simulator's address of the tensor's storage. Ends the program if the memory is freed.
char *StorageWindow(const aclTensor &tensor);

/// Ends the program unless the tensor's storage at `address` is 32-byte aligned and lies inside one
/// piece of device memory; `what` is the parameter that holds the address.
void RequireStorageAt(const aclTensor &tensor, const void *address, const char *what);

/// End the program unless the handle is live; `caller` is the public function that received it.
void RequireTensor(const aclTensor *tensor, const char *caller);
void RequireList(const aclTensorList *list, const char *caller);
void RequireArray(const aclIntArray *array, const char *caller);
void RequireScalar(const aclScalar *scalar, const char *caller);
void RequireScalarList(const aclScalarList *list, const char *caller);

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_NNOPBASE_TENSOR_H_

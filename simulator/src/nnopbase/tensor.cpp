// SPDX-License-Identifier: Apache-2.0
#include "nnopbase/tensor.h"

#include <cstring>
#include <limits>

#include "nnopbase/float_types.h"
#include "runtime/device_memory.h"
#include "runtime/misuse.h"

namespace simulator {

namespace {

constexpr uintptr_t kStorageAlignment = 32;

// Shapes come from the caller, so their products may overflow int64_t; they then saturate, which
// exceeds any memory.
int64_t SaturatingProduct(int64_t left, int64_t right) {
  int64_t product = 0;
  const bool overflow = __builtin_mul_overflow(left, right, &product);
  return overflow ? std::numeric_limits<int64_t>::max() : product;
}

int64_t SaturatingSum(int64_t left, int64_t right) {
  int64_t sum = 0;
  const bool overflow = __builtin_add_overflow(left, right, &sum);
  return overflow ? std::numeric_limits<int64_t>::max() : sum;
}

thread_local const Addresses *elsewhere = nullptr;

void *AddressOf(const aclTensor &tensor) {
  if (elsewhere == nullptr) return tensor.data;
  const auto moved = elsewhere->find(tensor.number);
  return moved == elsewhere->end() ? tensor.data : moved->second;
}

template <typename Stored>
Stored FirstOf(const aclScalar &scalar) {
  Stored stored;
  std::memcpy(&stored, scalar.bytes.data(), sizeof(stored));
  return stored;
}

}  // namespace

int64_t ElementCount(const Shape &shape) {
  int64_t count = 1;
  for (const int64_t extent : shape) {
    if (extent == 0) return 0;
    count = SaturatingProduct(count, extent);
  }
  return count;
}

int64_t LastElement(const aclTensor &tensor) {
  int64_t last = tensor.offset;
  for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    last = SaturatingSum(last, SaturatingProduct(tensor.shape[axis] - 1, tensor.strides[axis]));
  }
  return last;
}

size_t StorageBytes(const aclTensor &tensor) {
  const int64_t bits =
      SaturatingProduct(ElementCount(tensor.storageShape), ElementBits(tensor.dataType));
  return static_cast<size_t>(bits / 8 + (bits % 8 != 0 ? 1 : 0));
}

Shape ContiguousStrides(const Shape &shape) {
  Shape strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;) {
    strides[axis - 1] = SaturatingProduct(strides[axis], shape[axis]);
  }
  return strides;
}

bool IsContiguous(const aclTensor &tensor) {
  if (ElementCount(tensor.shape) == 0) return true;
  int64_t expected = 1;
  for (size_t axis = tensor.shape.size(); axis-- > 0;) {
    if (tensor.shape[axis] != 1 && tensor.strides[axis] != expected) return false;
    expected *= tensor.shape[axis];
  }
  return true;
}

bool CanBroadcastTo(const Shape &from, const Shape &to) {
  if (from.size() > to.size()) return false;
  const size_t missing = to.size() - from.size();
  for (size_t axis = 0; axis < from.size(); ++axis) {
    if (from[axis] != 1 && from[axis] != to[missing + axis]) return false;
  }
  return true;
}

aclTensor Filled(const Shape &shape, float value) {
  aclTensor tensor;
  tensor.dataType = ACL_FLOAT;
  tensor.shape = shape;
  tensor.strides.assign(shape.size(), 0);
  tensor.storageShape = {0};
  tensor.filled = value;
  return tensor;
}

aclTensor Unwanted(const Shape &shape) { return Filled(shape, 0.0F); }

Shape Trailing(const Shape &shape, int64_t count) {
  return {shape.end() - std::min(count, static_cast<int64_t>(shape.size())), shape.end()};
}

aclTensor BroadcastTo(const aclTensor &tensor, const Shape &shape) {
  aclTensor view = tensor;
  const size_t missing = shape.size() - tensor.shape.size();
  view.shape = shape;
  view.strides.assign(shape.size(), 0);
  for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    if (tensor.shape[axis] != 1) view.strides[missing + axis] = tensor.strides[axis];
  }
  return view;
}

int64_t Digits(aclDataType dataType) {
  switch (dataType) {
    case ACL_DOUBLE:
      return 53;
    case ACL_FLOAT:
      return 24;
    case ACL_FLOAT16:
      return 11;
    case ACL_BF16:
      return 8;
    default:
      return 0;
  }
}

int64_t ElementBits(aclDataType dataType) {
  switch (dataType) {
    case ACL_UINT1:
      return 1;
    case ACL_INT4:
      return 4;
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
      return 8;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16:
      return 16;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32:
      return 32;
    case ACL_DOUBLE:
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_COMPLEX64:
      return 64;
    case ACL_COMPLEX128:
      return 128;
    default:
      return 0;
  }
}

std::string DataTypeName(aclDataType dataType) {
  switch (dataType) {
    case ACL_FLOAT:
      return "FLOAT";
    case ACL_FLOAT16:
      return "FLOAT16";
    case ACL_BF16:
      return "BFLOAT16";
    case ACL_INT8:
      return "INT8";
    case ACL_UINT8:
      return "UINT8";
    default:
      return "type " + Text(static_cast<int>(dataType));
  }
}

std::string FormatName(aclFormat format) {
  switch (format) {
    case ACL_FORMAT_ND:
      return "ND";
    case ACL_FORMAT_NCHW:
      return "NCHW";
    default:
      return "format " + Text(static_cast<int>(format));
  }
}

std::string ShapeText(const Shape &shape) {
  std::string text;
  for (const int64_t extent : shape) text += (text.empty() ? "" : ", ") + Text(extent);
  return "(" + text + ")";
}

double ToDouble(const aclScalar &scalar) {
  switch (scalar.dataType) {
    case ACL_FLOAT:
    case ACL_COMPLEX64:
      return FirstOf<float>(scalar);
    case ACL_FLOAT16:
      return Widen(FirstOf<Float16>(scalar));
    case ACL_BF16:
      return Widen(FirstOf<Bfloat16>(scalar));
    case ACL_DOUBLE:
    case ACL_COMPLEX128:
      return FirstOf<double>(scalar);
    case ACL_INT8:
      return FirstOf<int8_t>(scalar);
    case ACL_UINT8:
    case ACL_BOOL:
      return FirstOf<uint8_t>(scalar);
    case ACL_INT16:
      return FirstOf<int16_t>(scalar);
    case ACL_UINT16:
      return FirstOf<uint16_t>(scalar);
    case ACL_INT32:
      return FirstOf<int32_t>(scalar);
    case ACL_UINT32:
      return FirstOf<uint32_t>(scalar);
    case ACL_INT64:
      return static_cast<double>(FirstOf<int64_t>(scalar));
    case ACL_UINT64:
      return static_cast<double>(FirstOf<uint64_t>(scalar));
    default:
      EndUnable(
          "an operator takes a scalar of {}, which the helpers lack or its checks should refuse; "
          "mend one of them",
          DataTypeName(scalar.dataType));
  }
}

int64_t ToInteger(const aclScalar &scalar) {
  if (scalar.dataType == ACL_INT64 || scalar.dataType == ACL_UINT64)
    return FirstOf<int64_t>(scalar);
  return static_cast<int64_t>(ToDouble(scalar));
}

void RequireStorageAt(const aclTensor &tensor, const void *address, const char *what) {
  if (reinterpret_cast<uintptr_t>(address) % kStorageAlignment != 0) {
    Misuse("{} {} is not aligned to 32 bytes; align it", what, address);
  }
  RequireDeviceBytes(address, StorageBytes(tensor), what);
}

TensorsElsewhere::TensorsElsewhere(const Addresses &addresses) { elsewhere = &addresses; }

TensorsElsewhere::~TensorsElsewhere() { elsewhere = nullptr; }

char *StorageWindow(const aclTensor &tensor) {
  const size_t bytes = StorageBytes(tensor);
  if (bytes == 0) return nullptr;
  return DeviceWindow(AddressOf(tensor), bytes, "running an operator: tensorData");
}

}  // namespace simulator

// SPDX-License-Identifier: Apache-2.0
#include "nnopbase/elements.h"

#include <cstring>

#include "nnopbase/float_types.h"
#include "runtime/misuse.h"
#include "runtime/product.h"

namespace simulator {

namespace {

template <typename Stored>
void ReadRun(const char *storage, Run run, float *elements) {
  const Stored *const stored = reinterpret_cast<const Stored *>(storage) + run.first;
  if (run.step == 1) {
    for (int64_t i = 0; i < run.count; ++i) elements[i] = Widen(stored[i]);
  } else {
    for (int64_t i = 0; i < run.count; ++i) elements[i] = Widen(stored[i * run.step]);
  }
}

template <typename Stored>
void WriteRun(char *storage, Run run, const float *elements, bool saturate) {
  Stored *const stored = reinterpret_cast<Stored *>(storage) + run.first;
  if (saturate) {
    for (int64_t i = 0; i < run.count; ++i) {
      stored[i * run.step] = Round<Stored>(Saturate<Stored>(elements[i]));
    }
  } else if (run.step == 1) {
    for (int64_t i = 0; i < run.count; ++i) stored[i] = Round<Stored>(elements[i]);
  } else {
    for (int64_t i = 0; i < run.count; ++i) stored[i * run.step] = Round<Stored>(elements[i]);
  }
}

template <typename Stored>
void ReadIntegers(const char *storage, Run run, int64_t *elements) {
  const Stored *const stored = reinterpret_cast<const Stored *>(storage) + run.first;
  for (int64_t i = 0; i < run.count; ++i) elements[i] = stored[i * run.step];
}

template <typename Stored>
void WriteIntegers(char *storage, Run run, const int64_t *elements) {
  Stored *const stored = reinterpret_cast<Stored *>(storage) + run.first;
  for (int64_t i = 0; i < run.count; ++i) stored[i * run.step] = static_cast<Stored>(elements[i]);
}

[[noreturn]] void EndForDataType(aclDataType dataType) {
  EndUnable(
      "an operator works on elements of {}, which the helpers lack or its checks should refuse; "
      "mend one of them",
      DataTypeName(dataType));
}

// Calls `function` with start and size of each contiguous piece of the storage, for `count`
// elements of `size` bytes in row-major order.
template <typename Function>
void ForEachPiece(const aclTensor &tensor, int64_t count, int64_t size, Function function) {
  Walk walk(tensor);
  while (count > 0) {
    const Run run = walk.Next(count);
    const int64_t joined = run.step == 1 ? run.count : 1;
    for (int64_t i = 0; i < run.count; i += joined) {
      function((run.first + i * run.step) * size, static_cast<size_t>(joined * size));
    }
    count -= run.count;
  }
}

}  // namespace

ElementReader::ElementReader(const aclTensor &tensor)
    : filled_(tensor.filled),
      storage_(StorageWindow(tensor)),
      dataType_(tensor.dataType),
      walk_(tensor) {}

void ElementReader::Read(float *elements, int64_t count) {
  if (filled_) return void(std::fill_n(elements, count, *filled_));
  if (IsInteger(dataType_)) {
    std::vector<int64_t> integers(static_cast<size_t>(count));
    Read(integers.data(), count);
    std::copy(integers.begin(), integers.end(), elements);
    return;
  }
  while (count > 0) {
    const Run run = walk_.Next(count);
    switch (dataType_) {
      case ACL_FLOAT:
        ReadRun<Float32>(storage_, run, elements);
        break;
      case ACL_FLOAT16:
        ReadRun<Float16>(storage_, run, elements);
        break;
      case ACL_BF16:
        ReadRun<Bfloat16>(storage_, run, elements);
        break;
      default:
        EndForDataType(dataType_);
    }
    elements += run.count;
    count -= run.count;
  }
}

void ElementReader::Read(double *elements, int64_t count) {
  if (!filled_ && IsInteger(dataType_)) {
    std::vector<int64_t> integers(static_cast<size_t>(count));
    Read(integers.data(), count);
    std::copy(integers.begin(), integers.end(), elements);
    return;
  }
  if (dataType_ != ACL_DOUBLE) {
    std::vector<float> narrow(static_cast<size_t>(count));
    Read(narrow.data(), count);
    std::copy(narrow.begin(), narrow.end(), elements);
    return;
  }
  while (count > 0) {
    const Run run = walk_.Next(count);
    const double *const stored = reinterpret_cast<const double *>(storage_) + run.first;
    for (int64_t i = 0; i < run.count; ++i) elements[i] = stored[i * run.step];
    elements += run.count;
    count -= run.count;
  }
}

void ElementReader::Read(int64_t *elements, int64_t count) {
  if (filled_) return void(std::fill_n(elements, count, static_cast<int64_t>(*filled_)));
  while (count > 0) {
    const Run run = walk_.Next(count);
    switch (dataType_) {
      case ACL_INT8:
        ReadIntegers<int8_t>(storage_, run, elements);
        break;
      case ACL_UINT8:
      case ACL_BOOL:
        ReadIntegers<uint8_t>(storage_, run, elements);
        break;
      case ACL_INT16:
        ReadIntegers<int16_t>(storage_, run, elements);
        break;
      case ACL_UINT16:
        ReadIntegers<uint16_t>(storage_, run, elements);
        break;
      case ACL_INT32:
        ReadIntegers<int32_t>(storage_, run, elements);
        break;
      case ACL_UINT32:
        ReadIntegers<uint32_t>(storage_, run, elements);
        break;
      case ACL_INT64:
        ReadIntegers<int64_t>(storage_, run, elements);
        break;
      case ACL_UINT64:
        ReadIntegers<uint64_t>(storage_, run, elements);
        break;
      default:
        EndForDataType(dataType_);
    }
    elements += run.count;
    count -= run.count;
  }
}

ElementWriter::ElementWriter(const aclTensor &tensor)
    : storage_(StorageWindow(tensor)),
      dataType_(tensor.dataType),
      saturate_(!HasInfNan(CurrentProduct())),
      walk_(tensor) {}

void ElementWriter::Write(const float *elements, int64_t count) {
  if (storage_ == nullptr) return;  // not wanted, or without elements
  while (count > 0) {
    const Run run = walk_.Next(count);
    switch (dataType_) {
      case ACL_FLOAT:
        WriteRun<Float32>(storage_, run, elements, saturate_);
        break;
      case ACL_FLOAT16:
        WriteRun<Float16>(storage_, run, elements, saturate_);
        break;
      case ACL_BF16:
        WriteRun<Bfloat16>(storage_, run, elements, saturate_);
        break;
      case ACL_DOUBLE:
        WriteRun<Float64>(storage_, run, elements, saturate_);
        break;
      default:
        EndForDataType(dataType_);
    }
    elements += run.count;
    count -= run.count;
  }
}

void ElementWriter::Write(const double *elements, int64_t count) {
  if (dataType_ != ACL_DOUBLE) {
    std::vector<float> narrow(static_cast<size_t>(count));
    std::transform(elements, elements + count, narrow.begin(), [this](double element) {
      return dataType_ == ACL_FLOAT ? static_cast<float>(element) : RoundToOdd(element);
    });
    return Write(narrow.data(), count);
  }
  while (count > 0) {
    const Run run = walk_.Next(count);
    double *const stored = reinterpret_cast<double *>(storage_) + run.first;
    for (int64_t i = 0; i < run.count; ++i) {
      stored[i * run.step] = saturate_ ? SaturateDouble(elements[i]) : elements[i];
    }
    elements += run.count;
    count -= run.count;
  }
}

void ElementWriter::Write(const int64_t *elements, int64_t count) {
  if (!IsInteger(dataType_)) {
    const std::vector<double> wide(elements, elements + count);
    return Write(wide.data(), count);
  }
  while (count > 0) {
    const Run run = walk_.Next(count);
    switch (dataType_) {
      case ACL_INT8:
        WriteIntegers<int8_t>(storage_, run, elements);
        break;
      case ACL_UINT8:
      case ACL_BOOL:
        WriteIntegers<uint8_t>(storage_, run, elements);
        break;
      case ACL_INT16:
        WriteIntegers<int16_t>(storage_, run, elements);
        break;
      case ACL_UINT16:
        WriteIntegers<uint16_t>(storage_, run, elements);
        break;
      case ACL_INT32:
        WriteIntegers<int32_t>(storage_, run, elements);
        break;
      case ACL_UINT32:
        WriteIntegers<uint32_t>(storage_, run, elements);
        break;
      case ACL_INT64:
        WriteIntegers<int64_t>(storage_, run, elements);
        break;
      case ACL_UINT64:
        WriteIntegers<uint64_t>(storage_, run, elements);
        break;
      default:
        EndForDataType(dataType_);
    }
    elements += run.count;
    count -= run.count;
  }
}

bool IsInteger(aclDataType dataType) {
  switch (dataType) {
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL:
    case ACL_INT16:
    case ACL_UINT16:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_INT64:
    case ACL_UINT64:
      return true;
    default:
      return false;
  }
}

std::vector<float> ReadAll(const aclTensor &tensor) {
  std::vector<float> elements(static_cast<size_t>(ElementCount(tensor.shape)));
  ElementReader(tensor).Read(elements.data(), static_cast<int64_t>(elements.size()));
  return elements;
}

void WriteAll(const aclTensor &tensor, const std::vector<float> &elements) {
  ElementWriter(tensor).Write(elements.data(), static_cast<int64_t>(elements.size()));
}

void WriteAllIntegers(const aclTensor &tensor, const std::vector<int64_t> &elements) {
  const auto count = static_cast<int64_t>(elements.size());
  ElementWriter(tensor).Write(elements.data(), count);
}

std::vector<uint8_t> ReadBytes(const aclTensor &tensor) {
  const char *const storage = StorageWindow(tensor);
  if (storage == nullptr) return {};
  const int64_t count = ElementCount(tensor.shape);
  const int64_t size = ElementBits(tensor.dataType) / 8;
  std::vector<uint8_t> bytes(static_cast<size_t>(count * size));
  uint8_t *next = bytes.data();
  ForEachPiece(tensor, count, size, [&](int64_t first, size_t length) {
    std::memcpy(next, storage + first, length);
    next += length;
  });
  return bytes;
}

void WriteBytes(const aclTensor &tensor, const std::vector<uint8_t> &bytes) {
  char *const storage = StorageWindow(tensor);
  if (storage == nullptr) return;
  const int64_t size = ElementBits(tensor.dataType) / 8;
  const uint8_t *next = bytes.data();
  ForEachPiece(tensor, static_cast<int64_t>(bytes.size()) / size, size,
               [&](int64_t first, size_t length) {
                 std::memcpy(storage + first, next, length);
                 next += length;
               });
}

float RoundTo(aclDataType dataType, float value) {
  const bool saturate = !HasInfNan(CurrentProduct());
  switch (dataType) {
    case ACL_FLOAT16:
      return Widen(Round<Float16>(saturate ? Saturate<Float16>(value) : value));
    case ACL_BF16:
      return Widen(Round<Bfloat16>(saturate ? Saturate<Bfloat16>(value) : value));
    default:
      return value;
  }
}

aclTensor WithAxisLast(aclTensor tensor, int64_t axis) {
  if (tensor.shape.empty()) {
    tensor.shape = {1};
    tensor.strides = {1};
  }
  const auto at = axis < 0 ? axis + tensor.Rank() : axis;
  for (Shape *each : {&tensor.shape, &tensor.strides}) {
    std::rotate(each->begin() + at, each->begin() + at + 1, each->end());
  }
  return tensor;
}

}  // namespace simulator

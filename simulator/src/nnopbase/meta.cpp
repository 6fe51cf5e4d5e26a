// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#include "aclnn/acl_meta.h"
#include "nnopbase/status.h"
#include "nnopbase/tensor.h"
#include "runtime/device_memory.h"
#include "runtime/error_message.h"
#include "runtime/handle_table.h"
#include "runtime/lifecycle.h"
#include "runtime/misuse.h"

namespace simulator {

namespace {

HandleTable &TensorTable() {
  static HandleTable *const table = new HandleTable("aclTensor", "call aclDestroyTensor for each",
                                                    "create a tensor with aclCreateTensor");
  return *table;
}

HandleTable &IntArrayTable() {
  static HandleTable *const table = new HandleTable(
      "aclIntArray", "call aclDestroyIntArray for each", "create an array with aclCreateIntArray");
  return *table;
}

HandleTable &BoolArrayTable() {
  static HandleTable *const table =
      new HandleTable("aclBoolArray", "call aclDestroyBoolArray for each",
                      "create an array with aclCreateBoolArray");
  return *table;
}

HandleTable &ScalarTable() {
  static HandleTable *const table = new HandleTable("aclScalar", "call aclDestroyScalar for each",
                                                    "create a scalar with aclCreateScalar");
  return *table;
}

HandleTable &ScalarListTable() {
  static HandleTable *const table =
      new HandleTable("aclScalarList", "call aclDestroyScalarList for each",
                      "create a list with aclCreateScalarList");
  return *table;
}

HandleTable &ListTable() {
  static HandleTable *const table =
      new HandleTable("aclTensorList", "call aclDestroyTensorList for each",
                      "create a list with aclCreateTensorList");
  return *table;
}

bool HasNegative(const Shape &values) {
  return std::any_of(values.begin(), values.end(), [](int64_t value) { return value < 0; });
}

// The view must stay inside the storage shape.
void RequireViewInStorage(const aclTensor &tensor) {
  if (ElementCount(tensor.shape) == 0) return;
  const int64_t last = LastElement(tensor);
  if (last >= ElementCount(tensor.storageShape)) {
    Misuse(
        "aclCreateTensor: the view {} with strides {} and offset {} reaches element {} but the "
        "storage {} ends before it; give the storage shape that the memory has",
        ShapeText(tensor.shape), ShapeText(tensor.strides), tensor.offset, last,
        ShapeText(tensor.storageShape));
  }
}

template <typename Array, typename Value>
Array *CreateArray(HandleTable &table, const char *caller, const Value *value, uint64_t size) {
  RequireInitialised(caller);
  if (value == nullptr && size > 0) {
    AddErrorMessage(std::string(caller) + ": value is null");
    return nullptr;
  }
  const auto array = std::make_shared<Array>();
  array->values.assign(value, value + size);
  table.Add(array);
  return array.get();
}

bool CanListAll(const char *caller, const void *value, uint64_t size) {
  RequireInitialised(caller);
  if (value != nullptr && size > 0) return true;
  AddErrorMessage(std::string(caller) + (value == nullptr ? ": value is null" : ": size is 0"));
  return false;
}

aclnnStatus GetSize(const aclIntArray *array, const char *caller, uint64_t *size) {
  if (array == nullptr || size == nullptr) return kNullPointer;
  RequireArray(array, caller);
  *size = array->values.size();
  return kSuccess;
}

aclnnStatus DestroyArray(HandleTable &table, const aclIntArray *array, const char *caller) {
  if (array == nullptr) return Fail(kNullPointer, std::string(caller) + ": null pointer");
  table.Retire(array, caller, "destroyed");
  return kSuccess;
}

aclnnStatus GiveCopy(const Shape &values, int64_t **copy, uint64_t *count) {
  if (copy == nullptr || count == nullptr) return kNullPointer;
  *count = values.size();
  *copy = new int64_t[values.size()];
  std::copy(values.begin(), values.end(), *copy);
  return kSuccess;
}

}  // namespace

void RequireTensor(const aclTensor *tensor, const char *caller) {
  TensorTable().Require(tensor, caller);
}

void RequireList(const aclTensorList *list, const char *caller) {
  ListTable().Require(list, caller);
  for (const aclTensor *tensor : list->tensors) {
    if (tensor != nullptr) RequireTensor(tensor, caller);
  }
}

void RequireArray(const aclIntArray *array, const char *caller) {
  if (!BoolArrayTable().Holds(array)) IntArrayTable().Require(array, caller);
}

void RequireScalar(const aclScalar *scalar, const char *caller) {
  ScalarTable().Require(scalar, caller);
}

void RequireScalarList(const aclScalarList *list, const char *caller) {
  ScalarListTable().Require(list, caller);
  for (const aclScalar *scalar : list->scalars) {
    if (scalar != nullptr) RequireScalar(scalar, caller);
  }
}

}  // namespace simulator

using namespace simulator;

aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType,
                           const int64_t *stride, int64_t offset, aclFormat format,
                           const int64_t *storageDims, uint64_t storageDimsNum, void *tensorData) {
  RequireInitialised("aclCreateTensor");
  if ((viewDims == nullptr && viewDimsNum > 0) || (storageDims == nullptr && storageDimsNum > 0)) {
    AddErrorMessage("aclCreateTensor: dimensions are null");
    return nullptr;
  }
  static std::atomic<uint64_t> tensors = 0;
  const auto tensor = std::make_shared<aclTensor>();
  tensor->dataType = dataType;
  tensor->format = format;
  tensor->shape.assign(viewDims, viewDims + viewDimsNum);
  tensor->storageShape.assign(storageDims, storageDims + storageDimsNum);
  tensor->strides =
      stride == nullptr ? ContiguousStrides(tensor->shape) : Shape(stride, stride + viewDimsNum);
  tensor->offset = offset;
  tensor->data = tensorData;
  tensor->number = ++tensors;
  if (offset < 0 || HasNegative(tensor->shape) || HasNegative(tensor->strides) ||
      HasNegative(tensor->storageShape)) {
    AddErrorMessage("aclCreateTensor: a dimension, a stride or the offset is negative");
    return nullptr;
  }
  RequireViewInStorage(*tensor);
  if (tensorData != nullptr) RequireStorageAt(*tensor, tensorData, "aclCreateTensor: tensorData");
  TensorTable().Add(tensor);
  return tensor.get();
}

aclnnStatus aclDestroyTensor(const aclTensor *tensor) {
  if (tensor == nullptr) return Fail(kNullPointer, "aclDestroyTensor: null pointer");
  TensorTable().Retire(tensor, "aclDestroyTensor", "destroyed");
  return kSuccess;
}

aclnnStatus aclGetViewShape(const aclTensor *tensor, int64_t **viewDims, uint64_t *viewDimsNum) {
  if (tensor == nullptr) return kNullPointer;
  RequireTensor(tensor, "aclGetViewShape");
  return GiveCopy(tensor->shape, viewDims, viewDimsNum);
}

aclnnStatus aclGetStorageShape(const aclTensor *tensor, int64_t **storageDims,
                               uint64_t *storageDimsNum) {
  if (tensor == nullptr) return kNullPointer;
  RequireTensor(tensor, "aclGetStorageShape");
  return GiveCopy(tensor->storageShape, storageDims, storageDimsNum);
}

aclnnStatus aclGetViewStrides(const aclTensor *tensor, int64_t **stridesValue,
                              uint64_t *stridesNum) {
  if (tensor == nullptr) return kNullPointer;
  RequireTensor(tensor, "aclGetViewStrides");
  return GiveCopy(tensor->strides, stridesValue, stridesNum);
}

aclnnStatus aclGetViewOffset(const aclTensor *tensor, int64_t *offset) {
  if (tensor == nullptr || offset == nullptr) return kNullPointer;
  RequireTensor(tensor, "aclGetViewOffset");
  *offset = tensor->offset;
  return kSuccess;
}

aclnnStatus aclGetRawTensorAddr(const aclTensor *tensor, void **addr) {
  if (tensor == nullptr || addr == nullptr) return kNullPointer;
  RequireTensor(tensor, "aclGetRawTensorAddr");
  *addr = tensor->data;
  return kSuccess;
}

aclnnStatus aclGetFormat(const aclTensor *tensor, aclFormat *format) {
  if (tensor == nullptr || format == nullptr) return kNullPointer;
  RequireTensor(tensor, "aclGetFormat");
  *format = tensor->format;
  return kSuccess;
}

aclnnStatus aclGetDataType(const aclTensor *tensor, aclDataType *dataType) {
  if (tensor == nullptr || dataType == nullptr) return kNullPointer;
  RequireTensor(tensor, "aclGetDataType");
  *dataType = tensor->dataType;
  return kSuccess;
}

aclTensorList *aclCreateTensorList(const aclTensor *const *value, uint64_t size) {
  if (!CanListAll("aclCreateTensorList", value, size)) return nullptr;
  const auto list = std::make_shared<aclTensorList>();
  list->tensors.assign(value, value + size);
  ListTable().Add(list);
  RequireList(list.get(), "aclCreateTensorList");
  return list.get();
}

aclnnStatus aclGetTensorListSize(const aclTensorList *tensorList, uint64_t *size) {
  if (tensorList == nullptr || size == nullptr) return kNullPointer;
  RequireList(tensorList, "aclGetTensorListSize");
  *size = tensorList->tensors.size();
  return kSuccess;
}

aclnnStatus aclDestroyTensorList(const aclTensorList *array) {
  if (array == nullptr) return Fail(kNullPointer, "aclDestroyTensorList: null pointer");
  RequireList(array, "aclDestroyTensorList");
  for (const aclTensor *tensor : array->tensors) {
    if (tensor != nullptr) TensorTable().Retire(tensor, "aclDestroyTensorList", "destroyed");
  }
  ListTable().Retire(array, "aclDestroyTensorList", "destroyed");
  return kSuccess;
}

aclIntArray *aclCreateIntArray(const int64_t *value, uint64_t size) {
  return CreateArray<aclIntArray>(IntArrayTable(), "aclCreateIntArray", value, size);
}

aclnnStatus aclGetIntArraySize(const aclIntArray *array, uint64_t *size) {
  return GetSize(array, "aclGetIntArraySize", size);
}

aclnnStatus aclDestroyIntArray(const aclIntArray *array) {
  return DestroyArray(IntArrayTable(), array, "aclDestroyIntArray");
}

aclBoolArray *aclCreateBoolArray(const bool *value, uint64_t size) {
  return CreateArray<aclBoolArray>(BoolArrayTable(), "aclCreateBoolArray", value, size);
}

aclnnStatus aclGetBoolArraySize(const aclBoolArray *array, uint64_t *size) {
  return GetSize(array, "aclGetBoolArraySize", size);
}

aclnnStatus aclDestroyBoolArray(const aclBoolArray *array) {
  return DestroyArray(BoolArrayTable(), array, "aclDestroyBoolArray");
}

aclScalar *aclCreateScalar(void *value, aclDataType dataType) {
  RequireInitialised("aclCreateScalar");
  const auto bytes = static_cast<size_t>(ElementBits(dataType) / 8);
  if (value == nullptr || bytes == 0) {
    AddErrorMessage(value == nullptr ? "aclCreateScalar: value is null"
                                     : "aclCreateScalar: the data type has no whole bytes");
    return nullptr;
  }
  const auto scalar = std::make_shared<aclScalar>();
  scalar->dataType = dataType;
  std::memcpy(scalar->bytes.data(), value, bytes);
  ScalarTable().Add(scalar);
  return scalar.get();
}

aclnnStatus aclDestroyScalar(const aclScalar *scalar) {
  if (scalar == nullptr) return Fail(kNullPointer, "aclDestroyScalar: null pointer");
  ScalarTable().Retire(scalar, "aclDestroyScalar", "destroyed");
  return kSuccess;
}

aclScalarList *aclCreateScalarList(const aclScalar *const *value, uint64_t size) {
  if (!CanListAll("aclCreateScalarList", value, size)) return nullptr;
  const auto list = std::make_shared<aclScalarList>();
  list->scalars.assign(value, value + size);
  ScalarListTable().Add(list);
  RequireScalarList(list.get(), "aclCreateScalarList");
  return list.get();
}

aclnnStatus aclGetScalarListSize(const aclScalarList *scalarList, uint64_t *size) {
  if (scalarList == nullptr || size == nullptr) return kNullPointer;
  RequireScalarList(scalarList, "aclGetScalarListSize");
  *size = scalarList->scalars.size();
  return kSuccess;
}

aclnnStatus aclDestroyScalarList(const aclScalarList *array) {
  if (array == nullptr) return Fail(kNullPointer, "aclDestroyScalarList: null pointer");
  RequireScalarList(array, "aclDestroyScalarList");
  for (const aclScalar *scalar : array->scalars) {
    if (scalar != nullptr) ScalarTable().Retire(scalar, "aclDestroyScalarList", "destroyed");
  }
  ScalarListTable().Retire(array, "aclDestroyScalarList", "destroyed");
  return kSuccess;
}

// SPDX-License-Identifier: Apache-2.0
#include "fake_handles.h"

#include <algorithm>

#include "fake_faults.h"
#include "fake_runtime.h"

namespace {

aclnnStatus Give(const std::vector<int64_t> &values, int64_t **to, uint64_t *count) {
  *count = values.size();
  *to = new int64_t[values.size()];
  std::copy(values.begin(), values.end(), *to);
  return 0;
}

}  // namespace

extern "C" {

aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType,
                           const int64_t *stride, int64_t offset, aclFormat format,
                           const int64_t *storageDims, uint64_t storageDimsNum, void *tensorData) {
  if (fake::HasFault("no-tensors")) return nullptr;
  fake::CountLive("tensor", 1);
  return new aclTensor{{viewDims, viewDims + viewDimsNum},
                       {stride, stride + viewDimsNum},
                       {storageDims, storageDims + storageDimsNum},
                       offset,
                       format,
                       dataType,
                       static_cast<uint8_t *>(tensorData)};
}

aclnnStatus aclDestroyTensor(const aclTensor *tensor) {
  fake::CountLive("tensor", -1);
  delete tensor;
  return 0;
}

aclnnStatus aclGetViewShape(const aclTensor *tensor, int64_t **viewDims, uint64_t *viewDimsNum) {
  return Give(tensor->shape, viewDims, viewDimsNum);
}

aclnnStatus aclGetViewStrides(const aclTensor *tensor, int64_t **strides, uint64_t *stridesNum) {
  return Give(tensor->strides, strides, stridesNum);
}

aclnnStatus aclGetStorageShape(const aclTensor *tensor, int64_t **dims, uint64_t *dimsNum) {
  return Give(tensor->storage, dims, dimsNum);
}

aclnnStatus aclGetViewOffset(const aclTensor *tensor, int64_t *offset) {
  *offset = tensor->offset;
  return 0;
}

aclnnStatus aclGetFormat(const aclTensor *tensor, aclFormat *format) {
  *format = tensor->format;
  return 0;
}

aclnnStatus aclGetDataType(const aclTensor *tensor, aclDataType *dataType) {
  *dataType = tensor->dataType;
  return 0;
}

aclTensorList *aclCreateTensorList(const aclTensor *const *value, uint64_t size) {
  fake::CountLive("list", 1);
  return new aclTensorList{{value, value + size}};
}

aclnnStatus aclDestroyTensorList(const aclTensorList *array) {
  fake::CountLive("list", -1);
  for (const aclTensor *tensor : array->tensors) {
    if (tensor != nullptr) aclDestroyTensor(tensor);
  }
  delete array;
  return 0;
}

aclIntArray *aclCreateIntArray(const int64_t *value, uint64_t size) {
  fake::CountLive("array", 1);
  return new aclIntArray{{value, value + size}};
}

aclnnStatus aclDestroyIntArray(const aclIntArray *array) {
  fake::CountLive("array", -1);
  delete array;
  return 0;
}

aclBoolArray *aclCreateBoolArray(const bool *value, uint64_t size) {
  fake::CountLive("array", 1);
  return new aclBoolArray{std::vector<bool>(value, value + size)};
}

aclnnStatus aclDestroyBoolArray(const aclBoolArray *array) {
  fake::CountLive("array", -1);
  delete array;
  return 0;
}

aclScalar *aclCreateScalar(void *, aclDataType) {
  fake::CountLive("scalar", 1);
  return new aclScalar;
}

aclnnStatus aclDestroyScalar(const aclScalar *scalar) {
  fake::CountLive("scalar", -1);
  delete scalar;
  return 0;
}

aclScalarList *aclCreateScalarList(const aclScalar *const *value, uint64_t size) {
  fake::CountLive("list", 1);
  return new aclScalarList{{value, value + size}};
}

aclnnStatus aclDestroyScalarList(const aclScalarList *array) {
  fake::CountLive("list", -1);
  for (const aclScalar *scalar : array->scalars) aclDestroyScalar(scalar);
  delete array;
  return 0;
}

// Fault: `not-repeatable`.
aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor) {
  if (fake::HasFault("not-repeatable")) {
    fake::SetErrorMessage("it copies between devices");
    return 561103;
  }
  executor->repeatable = true;
  return 0;
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor) {
  fake::CountLive("executor", -1);
  delete executor;
  return 0;
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0
#ifndef ACLNN_ACL_META_H_
#define ACLNN_ACL_META_H_

#include "acl/acl_base.h"
#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Describes a tensor; strides and offset count elements. Null `stride` means row-major, null
/// `tensorData` means that the tensor has no memory. Null comes back, with a message, when a
/// dimension, stride or the offset is negative.
ACLNN_API aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum,
                                     aclDataType dataType, const int64_t *stride, int64_t offset,
                                     aclFormat format, const int64_t *storageDims,
                                     uint64_t storageDimsNum, void *tensorData);
ACLNN_API aclnnStatus aclDestroyTensor(const aclTensor *tensor);

/// The getters fail with 161001 for null. The arrays that they hand out belong to the caller, who
/// frees them with delete[].
ACLNN_API aclnnStatus aclGetViewShape(const aclTensor *tensor, int64_t **viewDims,
                                      uint64_t *viewDimsNum);
ACLNN_API aclnnStatus aclGetStorageShape(const aclTensor *tensor, int64_t **storageDims,
                                         uint64_t *storageDimsNum);
ACLNN_API aclnnStatus aclGetViewStrides(const aclTensor *tensor, int64_t **stridesValue,
                                        uint64_t *stridesNum);
ACLNN_API aclnnStatus aclGetViewOffset(const aclTensor *tensor, int64_t *offset);
ACLNN_API aclnnStatus aclGetRawTensorAddr(const aclTensor *tensor, void **addr);
ACLNN_API aclnnStatus aclGetFormat(const aclTensor *tensor, aclFormat *format);
ACLNN_API aclnnStatus aclGetDataType(const aclTensor *tensor, aclDataType *dataType);

/// A list of tensors, which are destroyed with it. Null comes back, with a message, for a null
/// `value` or no tensor.
ACLNN_API aclTensorList *aclCreateTensorList(const aclTensor *const *value, uint64_t size);
ACLNN_API aclnnStatus aclGetTensorListSize(const aclTensorList *tensorList, uint64_t *size);
ACLNN_API aclnnStatus aclDestroyTensorList(const aclTensorList *array);

/// Copies `size` numbers; `size` may be 0.
ACLNN_API aclIntArray *aclCreateIntArray(const int64_t *value, uint64_t size);
ACLNN_API aclnnStatus aclGetIntArraySize(const aclIntArray *array, uint64_t *size);
ACLNN_API aclnnStatus aclDestroyIntArray(const aclIntArray *array);
ACLNN_API aclBoolArray *aclCreateBoolArray(const bool *value, uint64_t size);
ACLNN_API aclnnStatus aclGetBoolArraySize(const aclBoolArray *array, uint64_t *size);
ACLNN_API aclnnStatus aclDestroyBoolArray(const aclBoolArray *array);

/// Copies the element of that type from `value`. Null comes back, with a message, for a null
/// `value` or a type whose elements have no whole bytes.
ACLNN_API aclScalar *aclCreateScalar(void *value, aclDataType dataType);
ACLNN_API aclnnStatus aclDestroyScalar(const aclScalar *scalar);

/// A list of scalars, which are destroyed with it. Null comes back, with a message, for a null
/// `value` or no scalar.
ACLNN_API aclScalarList *aclCreateScalarList(const aclScalar *const *value, uint64_t size);
ACLNN_API aclnnStatus aclGetScalarListSize(const aclScalarList *scalarList, uint64_t *size);
ACLNN_API aclnnStatus aclDestroyScalarList(const aclScalarList *array);

/// Lets the executor be launched any number of times; aclDestroyAclOpExecutor must follow. Both
/// fail with 561103 for null.
ACLNN_API aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor);
ACLNN_API aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor);

/// Set the device address of a tensor of a repeatable executor for its next launches. `index`
/// counts the tensors of the inputs, of the outputs or of both, in the prototype's order, lists as
/// their tensors; `irIndex` counts parameters. 561103 for null, 161002 for an index that is too
/// large or of a tensor for which phase one got null.
ACLNN_API aclnnStatus aclSetInputTensorAddr(aclOpExecutor *executor, const size_t index,
                                            aclTensor *tensor, void *addr);
ACLNN_API aclnnStatus aclSetOutputTensorAddr(aclOpExecutor *executor, const size_t index,
                                             aclTensor *tensor, void *addr);
ACLNN_API aclnnStatus aclSetTensorAddr(aclOpExecutor *executor, const size_t index,
                                       aclTensor *tensor, void *addr);
ACLNN_API aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor *executor, size_t irIndex,
                                                   const size_t relativeIndex,
                                                   aclTensorList *tensors, void *addr);
ACLNN_API aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor *executor, size_t irIndex,
                                                    const size_t relativeIndex,
                                                    aclTensorList *tensors, void *addr);

#ifdef __cplusplus
}
#endif

#endif  // ACLNN_ACL_META_H_

// SPDX-License-Identifier: Apache-2.0
/// Computes sizes of a tensor, and checks that its view stays inside the storage.
#ifndef ACLNN_CTS_TENSOR_FACTS_H_
#define ACLNN_CTS_TENSOR_FACTS_H_

#include "aclnn_cts/case.h"
#include "line_fields.h"

namespace aclnn_cts {

/// The bytes of an element, by the code of aclDataType. Throws InputError (at the line) without
/// whole bytes.
int64_t ElementBytes(const LineFields &line, int32_t dataType);

/// Fills in elementBytes, elements and storageBytes. Throws InputError (at the line) if the data
/// type has no whole-byte elements, the strides do not fit the shape, the tensor is beyond any
/// device, or the view leaves its storage.
void DeriveSizes(const LineFields &line, TensorFacts &tensor);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_TENSOR_FACTS_H_

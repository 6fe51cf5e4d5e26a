// SPDX-License-Identifier: Apache-2.0
/// CANN's opaque handles as the fake toolkit has them.
#ifndef FAKE_HANDLES_H_
#define FAKE_HANDLES_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "aclnn/acl_meta.h"

struct aclTensor {
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  std::vector<int64_t> storage;
  int64_t offset;
  aclFormat format;
  aclDataType dataType;
  uint8_t *data;
};

struct aclTensorList {
  std::vector<const aclTensor *> tensors;
};

struct aclIntArray {
  std::vector<int64_t> values;
};

struct aclBoolArray {
  std::vector<bool> values;
};

struct aclScalar {};

struct aclScalarList {
  std::vector<const aclScalar *> scalars;
};

struct aclOpExecutor {
  std::function<void(void *workspace)> work;
  bool repeatable = false;
};

#endif  // FAKE_HANDLES_H_

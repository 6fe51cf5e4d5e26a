// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_STATUS_H_
#define SIMULATOR_NNOPBASE_STATUS_H_

#include "aclnn/aclnn_base.h"

namespace simulator {

constexpr aclnnStatus kSuccess = 0;
constexpr aclnnStatus kNullPointer = 161001;
constexpr aclnnStatus kInvalidParameter = 161002;
constexpr aclnnStatus kInnerNullPointer = 561103;

}  // namespace simulator

#endif  // SIMULATOR_NNOPBASE_STATUS_H_

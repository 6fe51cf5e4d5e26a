// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_GROUP_NORM_SILU_H_
#define SIMULATOR_OPERATORS_GROUP_NORM_SILU_H_

#include <cmath>

#include "operators/group_norm.h"

inline void GroupNormSilu(const aclTensor &x, const aclTensor &gamma, const aclTensor &beta,
                          const aclTensor &out, const aclTensor &mean, const aclTensor &rstd,
                          int64_t groups, double eps) {
  NormaliseGroups(x, gamma, beta, out, mean, rstd, groups, eps,
                  [](float y) { return y / (1.0F + std::exp(-y)); });
}

inline void GroupNormSiluV2(const aclTensor &x, const aclTensor &gamma, const aclTensor &beta,
                            const aclTensor &out, const aclTensor &mean, const aclTensor &rstd,
                            int64_t groups, double eps, bool isActive) {
  NormaliseGroups(x, gamma, beta, out, mean, rstd, groups, eps,
                  [isActive](float y) { return isActive ? y / (1.0F + std::exp(-y)) : y; });
}

#endif  // SIMULATOR_OPERATORS_GROUP_NORM_SILU_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_GROUP_NORM_SWISH_H_
#define SIMULATOR_OPERATORS_GROUP_NORM_SWISH_H_

#include <cmath>
#include <string>

#include "operators/group_norm.h"

// The second extent is that of the channels, regardless of the format's name.
inline void GroupNormSwish(const aclTensor &x, const aclTensor &gamma, const aclTensor &beta,
                           const aclTensor &out, const aclTensor &mean, const aclTensor &rstd,
                           int64_t groups, const std::string &, double eps, bool isActive,
                           double scale) {
  NormaliseGroups(x, gamma, beta, out, mean, rstd, groups, eps, [=](float y) {
    return isActive ? y / (1.0F + std::exp(-static_cast<float>(scale) * y)) : y;
  });
}

#endif  // SIMULATOR_OPERATORS_GROUP_NORM_SWISH_H_

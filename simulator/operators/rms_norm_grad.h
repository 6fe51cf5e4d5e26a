// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_RMS_NORM_GRAD_H_
#define SIMULATOR_OPERATORS_RMS_NORM_GRAD_H_

#include <vector>

#include "nnopbase/elements.h"
#include "nnopbase/sums.h"

inline void RmsNormGrad(const aclTensor &dy, const aclTensor &x, const aclTensor &rstd,
                        const aclTensor &gamma, const aclTensor &dx, const aclTensor &dgamma) {
  const std::vector<float> weights = simulator::ReadAll(gamma);
  const std::vector<float> inverses = simulator::ReadAll(rstd);
  const std::vector<float> gradients = simulator::ReadAll(dy);
  std::vector<float> normal = simulator::ReadAll(x);
  const size_t length = weights.size();
  std::vector<float> products(length);
  std::vector<float> result(normal.size());
  for (size_t row = 0; row < inverses.size(); ++row) {
    const size_t first = row * length;
    for (size_t i = 0; i < length; ++i) {
      normal[first + i] *= inverses[row];
      products[i] = gradients[first + i] * weights[i] * normal[first + i];
    }
    const float sum = simulator::PairwiseSum(products.data(), static_cast<int64_t>(length));
    const float mean = sum / static_cast<float>(length);
    for (size_t i = 0; i < length; ++i) {
      const float weighted = gradients[first + i] * weights[i];
      result[first + i] = (weighted - normal[first + i] * mean) * inverses[row];
    }
  }
  std::vector<float> column(inverses.size());
  std::vector<float> sums(length);
  for (size_t i = 0; i < length; ++i) {
    for (size_t row = 0; row < column.size(); ++row) {
      column[row] = gradients[row * length + i] * normal[row * length + i];
    }
    sums[i] = simulator::PairwiseSum(column.data(), static_cast<int64_t>(column.size()));
  }
  simulator::WriteAll(dx, result);
  simulator::WriteAll(dgamma, sums);
}

#endif  // SIMULATOR_OPERATORS_RMS_NORM_GRAD_H_

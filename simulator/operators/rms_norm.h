// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_RMS_NORM_H_
#define SIMULATOR_OPERATORS_RMS_NORM_H_

#include <cmath>
#include <vector>

#include "nnopbase/elements.h"
#include "nnopbase/sums.h"

inline void RmsNorm(const aclTensor &x, const aclTensor &gamma, const aclTensor &y,
                    const aclTensor &rstd, double epsilon) {
  const std::vector<float> weights = simulator::ReadAll(gamma);
  const auto length = static_cast<int64_t>(weights.size());
  std::vector<float> row(weights.size());
  std::vector<float> squares(weights.size());
  simulator::ElementReader reader(x);
  simulator::ElementWriter writer(y);
  simulator::ElementWriter statistics(rstd);
  for (int64_t rows = simulator::ElementCount(rstd.shape); rows > 0; --rows) {
    reader.Read(row.data(), length);
    for (size_t i = 0; i < row.size(); ++i) squares[i] = row[i] * row[i];
    const float mean = simulator::PairwiseSum(squares.data(), length) / static_cast<float>(length);
    const float inverse = 1.0F / std::sqrt(mean + static_cast<float>(epsilon));
    for (size_t i = 0; i < row.size(); ++i) row[i] = row[i] * inverse * weights[i];
    writer.Write(row.data(), length);
    statistics.Write(&inverse, 1);
  }
}

#endif  // SIMULATOR_OPERATORS_RMS_NORM_H_

// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_LAYER_NORM_H_
#define SIMULATOR_OPERATORS_LAYER_NORM_H_

#include <cmath>
#include <vector>

#include "nnopbase/elements.h"
#include "nnopbase/sums.h"

// All modes compute in float32.
inline void LayerNorm(const aclTensor &x, const aclTensor &weight, const aclTensor &bias,
                      const aclTensor &out, const aclTensor &meanOut, const aclTensor &rstdOut,
                      const simulator::Shape &, double eps, int32_t = 0) {
  const std::vector<float> weights = simulator::ReadAll(weight);
  const std::vector<float> offsets = simulator::ReadAll(bias);
  const auto length = static_cast<int64_t>(weights.size());
  const auto count = static_cast<float>(length);
  std::vector<float> row(weights.size());
  std::vector<float> squares(weights.size());
  simulator::ElementReader reader(x);
  simulator::ElementWriter writer(out);
  simulator::ElementWriter means(meanOut);
  simulator::ElementWriter deviations(rstdOut);
  for (int64_t rows = simulator::ElementCount(meanOut.shape); rows > 0; --rows) {
    reader.Read(row.data(), length);
    const float mean = simulator::PairwiseSum(row.data(), length) / count;
    for (size_t i = 0; i < row.size(); ++i) squares[i] = (row[i] - mean) * (row[i] - mean);
    const float variance = simulator::PairwiseSum(squares.data(), length) / count;
    const float rstd = 1.0F / std::sqrt(variance + static_cast<float>(eps));
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] = (row[i] - mean) * rstd * weights[i] + offsets[i];
    }
    writer.Write(row.data(), length);
    means.Write(&mean, 1);
    deviations.Write(&rstd, 1);
  }
}

#endif  // SIMULATOR_OPERATORS_LAYER_NORM_H_

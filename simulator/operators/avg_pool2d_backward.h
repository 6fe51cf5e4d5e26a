// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_AVG_POOL2D_BACKWARD_H_
#define SIMULATOR_OPERATORS_AVG_POOL2D_BACKWARD_H_

#include <cstdint>
#include <vector>

#include "operators/avg_pool2d.h"

inline void AvgPool2dBackward(const aclTensor &gradOutput, const aclTensor &self,
                              const aclTensor &gradInput, const std::vector<int64_t> &kernelSize,
                              const std::vector<int64_t> &stride,
                              const std::vector<int64_t> &padding, bool, bool countIncludePad,
                              int64_t divisorOverride, int8_t) {
  const simulator::PoolWindows windows(gradOutput, kernelSize, stride, padding);
  const aclDataType computed = IsPooledInFloat16(self) ? ACL_FLOAT16 : ACL_FLOAT;
  const auto share = [&](float gradient, const simulator::Window &row,
                         const simulator::Window &column) {
    const float divisor = PoolDivisor(row, column, self, countIncludePad, divisorOverride);
    return simulator::RoundTo(computed, simulator::RoundTo(computed, gradient) / divisor);
  };
  const auto add = [computed](float sum, float term) {
    return simulator::RoundTo(computed, sum + term);
  };
  simulator::SpreadWindows(gradInput, gradOutput, windows.rows, windows.columns, share, add);
}

#endif  // SIMULATOR_OPERATORS_AVG_POOL2D_BACKWARD_H_

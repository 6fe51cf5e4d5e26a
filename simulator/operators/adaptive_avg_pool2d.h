// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_ADAPTIVE_AVG_POOL2D_H_
#define SIMULATOR_OPERATORS_ADAPTIVE_AVG_POOL2D_H_

#include <cstdint>
#include <vector>

#include "nnopbase/sums.h"
#include "nnopbase/windows.h"

// Window i ends at the rounded-up start of window i + 1.
inline simulator::Windows AdaptiveWindows(int64_t extent, int64_t count) {
  simulator::Windows windows;
  for (int64_t i = 0; i < count; ++i) {
    windows.push_back({i * extent / count, ((i + 1) * extent + count - 1) / count});
  }
  return windows;
}

inline void AdaptiveAvgPool2d(const aclTensor &self, const aclTensor &out,
                              const std::vector<int64_t> &outputSize) {
  const auto mean = [](const std::vector<float> &elements, auto &&...) {
    const auto count = static_cast<int64_t>(elements.size());
    return simulator::PairwiseSum(elements.data(), count) / static_cast<float>(count);
  };
  simulator::MapWindows(out, self, AdaptiveWindows(simulator::Height(self), outputSize[0]),
                        AdaptiveWindows(simulator::Width(self), outputSize[1]), mean);
}

#endif  // SIMULATOR_OPERATORS_ADAPTIVE_AVG_POOL2D_H_
